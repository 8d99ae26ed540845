import { healthProblems } from '#libs/features/stats/health-problems.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { isPublicAddress, literalAddress } from '#libs/platform/safe-fetch/address.js';
import { createSiblingNetwork } from '#libs/service/siblings.js';
import { clockOf } from '#libs/setup/file-clock.js';
import { exposureWarnings, type Settings } from '#libs/setup/settings.js';
import { SETTINGS } from '#libs/setup/settings.table.js';
import { readHealth } from '#apps/operator/status.js';
import { failedCheck, type Check, passedCheck, checkThat } from './check.js';

const TIMEOUT_MS = 10 * SECOND_MS;
/** A valid id that no identity has. A working network answers that it is unknown. */
const UNKNOWN_MUSE = 'muse_0000000000000000';
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|lan|test)$/;
/** Reserved names without mailboxes (RFC 2606). */
const RESERVED_DOMAIN = /(^|\.)invalid$/;
const EXPOSURE_ADVICE = 'Ignore this in a container whose port is published on 127.0.0.1 only.';

export async function checkService(settings: Settings): Promise<Check[]> {
  const health = await readHealth(settings);
  const problems = healthProblems(health);
  if (problems.length === 0) return [passedCheck('service', `It answers with the status ${health.status}.`)];
  return problems.map(problem => failedCheck('service', problem, 'See the other findings.'));
}

export async function checkAddress({ baseUrl, chain }: Settings): Promise<Check[]> {
  if (baseUrl === null) {
    const otherwise = 'BASE_URL is not set: offers, records and links contain a local address.';
    const sentence = 'BASE_URL is not set, which is right for development.';
    return [checkThat(chain === 'dev', 'address', sentence, otherwise, 'Set BASE_URL to the public address.')];
  }
  const response = await fetch(`${baseUrl}/api/health/live`, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  await response.body?.cancel();
  const otherwise = `${baseUrl}/api/health/live answers ${response.status}.`;
  const advice = 'Check the proxy and DNS: agents call this address.';
  return [checkThat(response.ok, 'address', `The service answers at ${baseUrl}.`, otherwise, advice)];
}

export async function checkSiblings(settings: Settings): Promise<Check[]> {
  const network = createSiblingNetwork(settings, clockOf(settings));
  if (network === null) return [];
  await network.lookUp(UNKNOWN_MUSE);
  return [passedCheck('siblings', 'The network that vouches for sibling identities answers.')];
}

function isPublic(address: string): boolean {
  const { hostname } = new URL(address);
  const literal = literalAddress(hostname);
  return literal === null ? !LOCAL_NAMES.test(hostname) : isPublicAddress(literal);
}

/** Settings that suit a test but not a public service. */
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
