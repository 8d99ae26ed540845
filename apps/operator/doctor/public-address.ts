import { isPublicAddress, literalAddress } from '#libs/platform/safe-fetch/address.js';
import type { Settings } from '#libs/setup/settings.js';
import { SETTINGS } from '#libs/setup/settings.table.js';
import { type Check, checkThat } from './check.js';

const NAMES_OF_THIS_NETWORK = /(^|\.)(localhost|local|internal|lan|test)$/;

/** Whether an address is one that the world reaches a service under. */
function isPublic(address: string): boolean {
  const { hostname } = new URL(address);
  const literal = literalAddress(hostname);
  return literal === null ? !NAMES_OF_THIS_NETWORK.test(hostname) : isPublicAddress(literal);
}

/** Nobody has a mailbox there (RFC 2606). */
const NO_DOMAIN = /(^|\.)invalid$/;

/** What is right for trying out and wrong where strangers come. */
export async function checkPublicSettings(settings: Settings): Promise<Check[]> {
  const { baseUrl, messageTag, chain, securityContact, mailDomain } = settings;
  if (baseUrl === null || !isPublic(baseUrl)) return [];
  const { name, defaultText: standard } = SETTINGS.messageTag;
  const { name: contact } = SETTINGS.securityContact;
  return [
    checkThat(
      messageTag !== standard,
      'settings',
      `What is signed here begins with ${messageTag}.`,
      `${name} is ${standard} as everywhere: a message that was signed without \`origin\` for another service is taken here.`,
      `Set ${name} to a word of your own before the first agent signs, which decides it for its log, and tell it beside the address.`,
    ),
    checkThat(
      chain !== 'dev',
      'settings',
      'Payments settle on real chains.',
      `CHAIN is dev at ${baseUrl}: anybody fetches its money from the faucet.`,
      'Set CHAIN=rpc, or keep the service to yourself.',
    ),
    checkThat(
      securityContact !== null || !NO_DOMAIN.test(mailDomain),
      'settings',
      'Whom to tell of a weakness can be reached, as far as the settings say.',
      `${contact} is not set, so /.well-known/security.txt names a mailbox at ${mailDomain}, which nobody reads.`,
      `Set ${contact}, or ${SETTINGS.mailDomain.name} to a domain with a mailbox for security.`,
    ),
  ];
}
