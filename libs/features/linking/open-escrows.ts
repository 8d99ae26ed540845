import type { ReadModels } from '#libs/documents/read-models.js';
import type { Journal } from '#libs/event-log/journal.js';
import type { ReplayedDecision } from '#libs/endpoints/decision.js';
import { isEscrowOpen } from '#libs/features/hires/domain/escrow.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { OpenEscrows } from '#libs/features/hires/views/open-escrows.js';
import { Refusal } from '#libs/kernel/refusal.js';

interface EscrowDependencies {
  readonly journal: Journal;
  readonly models: ReadModels;
}

/** Throws `escrow_open` if an escrow of one of the identities, as poster or worker, is not decided. */
export async function assertNoOpenEscrow(
  identities: readonly string[],
  { journal, models }: EscrowDependencies,
): Promise<void> {
  await models.waitUntilReached(await journal.log.head(), [OpenEscrows]);
  for (const muse of identities)
    for (const index of ['byPoster', 'byWorker']) {
      const [open] = await models.of(OpenEscrows).find({ index, equals: [muse], order: 'asc', limit: 1 });
      if (open)
        throw new Refusal('escrow_open', `The escrow of hire ${open.body.hire} is open, so its parties cannot change.`);
    }
}

/** For auditors: streams of hires of the identities whose escrow was open from well before the link until it. */
export const findOpenEscrows = (identities: readonly string[], replay: ReplayedDecision): string[] =>
  identities
    .flatMap(muse => [...replay.hiresOf(muse), ...replay.hiresBy(muse)])
    .filter(stream => {
      const states = replay.recentStates(stream, Hire);
      return states.length > 0 && states.every(isEscrowOpen);
    });
