import { executeAward } from '#libs/features/hires/award-escrow.js';
import { clockOf } from '#libs/setup/file-clock.js';
import type { Settings } from '#libs/setup/settings.js';
import { type CommandReport, done, UsageError } from '#libs/terminal/command-line.js';
import { parseHire } from '#libs/terminal/hire-text.js';
import { withStores } from './stores.js';

const RECEIVERS = ['worker', 'poster'] as const;

/** The running service then sends the money. */
export async function awardEscrow(
  settings: Settings,
  hire: string,
  { to: receiver, reason }: { readonly to: string; readonly reason: string },
): Promise<CommandReport> {
  const to = RECEIVERS.find(each => each === receiver);
  if (to === undefined) throw new UsageError('The receiver must be worker or poster.');
  const id = parseHire(hire);
  await withStores(settings, ({ journal }) => executeAward({ journal, clock: clockOf(settings), reason }, id, to));
  return done({ hire: id, to, reason }, `The escrow of hire ${id} goes to the ${to}.`);
}
