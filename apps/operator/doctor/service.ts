import { healthProblems } from '#libs/features/stats/health-problems.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { createSiblingNetwork } from '#libs/service/siblings.js';
import { clockOf } from '#libs/setup/file-clock.js';
import type { Settings } from '#libs/setup/settings.js';
import { readHealth } from '../status.js';
import { failedCheck, type Check, passedCheck, checkThat } from './check.js';

const TIMEOUT_MS = 10 * SECOND_MS;

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

/** A valid id that no identity has. A working network answers that it is unknown. */
const UNKNOWN_MUSE = 'muse_0000000000000000';

export async function checkSiblings(settings: Settings): Promise<Check[]> {
  const network = createSiblingNetwork(settings, clockOf(settings));
  if (network === null) return [];
  await network.lookUp(UNKNOWN_MUSE);
  return [passedCheck('siblings', 'The network that vouches for sibling identities answers.')];
}
