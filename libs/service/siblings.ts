import { issuedEmail } from '#libs/features/identity/issued-email.js';
import type { Clock } from '#libs/kernel/clock.js';
import { SettingError } from '#libs/setup/setting.js';
import type { Settings } from '#libs/setup/settings.js';
import { FileSiblingNetwork } from '#libs/siblings/file.sibling-network.js';
import { HttpSiblingNetwork } from '#libs/siblings/http.sibling-network.js';
import type { SiblingNetwork } from '#libs/siblings/sibling-identity.js';
import { Siblings } from '#libs/siblings/siblings.js';
import type { Core } from './core.js';

/** Throws a `SettingError` if the file is missing or invalid. */
export function createSiblings({ settings, stores, clock, log }: Pick<Core, 'settings' | 'stores' | 'clock' | 'log'>) {
  const { journal, integers } = stores;
  return new Siblings({
    network: createSiblingNetwork(settings, clock),
    journal,
    clock,
    integers,
    emailOf: (name, museId) => issuedEmail(name, museId, settings.mailDomain),
    report: error => log.warn({ err: error }, 'the sibling network does not answer'),
  });
}

/** Returns null if no network is set. Throws a `SettingError` if the file is missing or invalid. */
export function createSiblingNetwork({ siblingUrl, siblingFile }: Settings, clock: Clock): SiblingNetwork | null {
  if (siblingUrl !== null) return new HttpSiblingNetwork(siblingUrl, clock);
  if (siblingFile === null) return null;
  try {
    return new FileSiblingNetwork(siblingFile);
  } catch (error) {
    throw new SettingError('SIBLING_FILE', (error as Error).message);
  }
}
