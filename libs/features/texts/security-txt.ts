import { ServiceAddress } from '#libs/http/service-address.js';
import { Clock } from '#libs/kernel/clock.js';
import { defineQuery } from '#libs/endpoints/query.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { SecurityContactSettings } from './security-contact.settings.js';

const PATH = '/.well-known/security.txt';
/** It is to be less than a year (RFC 9116, 2.5.5). */
const MONTHS = 6;

export const securityTxt = defineQuery('security_txt', {
  path: PATH,
  bare: true,
  media: 'text/plain',
  uses: { settings: SecurityContactSettings, address: ServiceAddress, clock: Clock },
  answer: w.object({}),
  doc: {
    tag: 'Agents',
    summary: 'Whom to tell of a weakness of this service (RFC 9116)',
    details:
      'Where the operator has set no `SECURITY_CONTACT`, it is the mailbox `security` at `MAIL_DOMAIN` (RFC 2142).',
  },
  find(_fields, { settings: { contact }, address, clock }) {
    const lines = {
      Contact: contact,
      Expires: expiry(clock.now()),
      'Preferred-Languages': 'en',
      Canonical: address.url + PATH,
    };
    return Object.entries(lines)
      .map(([name, value]) => `${name}: ${value}\n`)
      .join('');
  },
});

/** The first day of a month, so that the text stays the same for as long. */
function expiry(now: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + MONTHS, 1)).toISOString();
}
