import { isPublicAddress, literalAddress } from '#libs/platform/safe-fetch/address.js';
import { type Settings, exposureWarnings } from '#libs/setup/settings.js';
import { SETTINGS } from '#libs/setup/settings.table.js';
import { type Check, checkThat, failedCheck } from './check.js';

const LOCAL_NAMES = /(^|\.)(localhost|local|internal|lan|test)$/;

function isPublic(address: string): boolean {
  const { hostname } = new URL(address);
  const literal = literalAddress(hostname);
  return literal === null ? !LOCAL_NAMES.test(hostname) : isPublicAddress(literal);
}

/** Reserved names without mailboxes (RFC 2606). */
const RESERVED_DOMAIN = /(^|\.)invalid$/;

const EXPOSURE_ADVICE = 'Ignore this in a container whose port is published on 127.0.0.1 only.';

/** Settings that suit a trial but not a public service. */
export async function checkPublicSettings(settings: Settings): Promise<Check[]> {
  const exposed = exposureWarnings(settings).map(sentence => failedCheck('settings', sentence, EXPOSURE_ADVICE));
  const { baseUrl, messageTag, chain, securityContact, mailDomain } = settings;
  if (baseUrl === null || !isPublic(baseUrl)) return exposed;
  const { name, defaultText: defaultTag } = SETTINGS.messageTag;
  const { name: contactSetting } = SETTINGS.securityContact;
  return [
    ...exposed,
    checkThat(
      messageTag !== defaultTag,
      'settings',
      `Signed messages begin with ${messageTag}.`,
      `${name} is the default ${defaultTag}: this service accepts messages that were signed without \`origin\` for other services.`,
      `Set ${name} to a word of your own before the first agent signs: the log keeps its first tag. Publish the tag with the address.`,
    ),
    checkThat(
      chain !== 'dev',
      'settings',
      'Payments settle on real chains.',
      `CHAIN is dev at the public address ${baseUrl}: everyone can get play money from the faucet.`,
      'Set CHAIN=rpc, or keep the service private.',
    ),
    checkThat(
      securityContact !== null || !RESERVED_DOMAIN.test(mailDomain),
      'settings',
      'Security reports have a contact.',
      `${contactSetting} is not set, and the default in /.well-known/security.txt is a mailbox at ${mailDomain}, which cannot exist.`,
      `Set ${contactSetting}, or ${SETTINGS.mailDomain.name} to a domain with a mailbox for security.`,
    ),
  ];
}
