import { clockOf } from '#libs/setup/file-clock.js';
import type { Settings } from '#libs/setup/settings.js';
import { createSiblingNetwork } from '#libs/service/siblings.js';
import { type Check, passedCheck } from './check.js';

/** A valid id that no identity has. A working network answers that it is unknown. */
const UNKNOWN_MUSE = 'muse_0000000000000000';

export async function checkSiblings(settings: Settings): Promise<Check[]> {
  const network = createSiblingNetwork(settings, clockOf(settings));
  if (network === null) return [];
  await network.lookUp(UNKNOWN_MUSE);
  return [passedCheck('siblings', 'The network that vouches for sibling identities answers.')];
}
