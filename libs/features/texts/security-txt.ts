import { defineQuery, w } from '#libs/endpoints/declare.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import { Clock } from '#libs/kernel/clock.js';
import { SecurityContactSettings } from './security-contact.settings.js';

const PATH = '/.well-known/security.txt';
/** Less than a year, as RFC 9116 (2.5.5) recommends. */
const VALIDITY_MONTHS = 6;

export const securityTxt = defineQuery('security_txt', {
  path: PATH,
  bare: true,
  media: 'text/plain',
  uses: { settings: SecurityContactSettings, address: ServiceAddress, clock: Clock },
  answer: w.object({}),
  doc: {
    tag: 'Agents',
    summary: 'Get the security contact',
    details:
      'RFC 9116. Unless the operator sets `SECURITY_CONTACT`, the contact is the mailbox `security` at `MAIL_DOMAIN` (RFC 2142).',
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

/** The first day of a month keeps the text unchanged within a month. */
function expiry(now: number): string {
  const date = new Date(now);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + VALIDITY_MONTHS, 1)).toISOString();
}
