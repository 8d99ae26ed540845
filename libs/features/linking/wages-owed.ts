import { iterateStoredPages } from '#libs/documents/iterate-pages.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { Journal } from '#libs/event-log/journal.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { ReplayedDecision } from '#libs/endpoints/decision.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Muse } from '#libs/domain/muse.js';
import { hireOfWage, type WageDocument, Wages } from '#libs/features/hires/views/wages.js';

type UnpaidHire = Extract<Hire, { status: 'hired' | 'delivered' }>;

interface WageDependencies {
  readonly journal: Journal;
  readonly models: ReadModels;
}

const UNPAID = ['hired', 'owed'] as const satisfies readonly WageDocument['state'][];

/**
 * Throws `wage_owed` if the earlier identity owes a wage to any muse, or the later one owes a wage to the earlier one.
 * Finds them in the read models, and checks each in the log.
 */
export async function assertOwesNoWage(
  { earlier, later }: { readonly earlier: string; readonly later: string },
  { journal, models }: WageDependencies,
): Promise<void> {
  await models.waitUntilReached(await journal.log.head(), [Wages]);
  for (const state of UNPAID)
    for await (const { hire } of unpaidHires(models, earlier, state))
      if (await isOwed(journal, hire))
        throw wageOwed(
          `\`to\` names an identity that owes the wage of hire ${hire}. Pay, dispute or end that hire first.`,
        );
  // A hire without a delivery ends with the link, so that its wage is not owed.
  for await (const { hire, worker } of unpaidHires(models, later, 'owed'))
    if (worker === earlier && (await isOwed(journal, hire)))
      throw wageOwed(`You owe the identity in to the wage of hire ${hire}. Pay or dispute that hire first.`);
}

const wageOwed = (message: string) => new Refusal('wage_owed', message, { field: 'to' });

async function* unpaidHires(models: ReadModels, poster: string, state: WageDocument['state']) {
  const range = { index: 'byPoster', equals: [poster, state], last: ({ since }: WageDocument) => [since] };
  for await (const wages of iterateStoredPages(models.of(Wages), range))
    for (const { id, body } of wages) yield { hire: hireOfWage(id), worker: body.worker };
}

const isUnpaid = (hire: Hire): hire is UnpaidHire =>
  (hire.status === 'hired' || hire.status === 'delivered') && hire.wage !== null && hire.dispute === null;

async function isOwed(journal: Journal, hire: number): Promise<boolean> {
  const { state } = await journal.load(Hire.source(hire));
  return isUnpaid(state) && !(await isUnpayable(journal, state));
}

/** The worker of a delivered hire was forgotten, and no later identity of it can be paid. */
async function isUnpayable(journal: Journal, { status, worker }: UnpaidHire) {
  if (status === 'hired') return false;
  const { state: muse } = await journal.load(Muse.source(worker));
  if (muse.status !== 'forgotten') return false;
  const { linkedTo } = muse;
  return linkedTo === null || (await journal.load(Muse.source(linkedTo))).state.status === 'forgotten';
}

/**
 * For auditors: streams of hires with a wage that was owed from well before the link until it. The service reads the log after the
 * time of the link, so it cannot have found such a wage paid.
 */
export function findWagesOwed(earlier: string, replay: ReplayedDecision): string[] {
  const isStillOwed = (stream: string, isAffected: (hire: UnpaidHire) => boolean) => {
    const states = replay.recentStates(stream, Hire);
    return states.length > 0 && states.every(hire => isUnpaid(hire) && isAffected(hire) && canBePaid(hire, replay));
  };
  const isDelivered = ({ status, worker }: UnpaidHire) => status === 'delivered' && worker === earlier;
  return [
    ...[...replay.hiresOf(earlier)].filter(stream => isStillOwed(stream, () => true)),
    ...[...replay.hiresOf(replay.context.actor)].filter(stream => isStillOwed(stream, isDelivered)),
  ];
}

/** A forgotten worker may still have a later identity, so only a worker that was never forgotten counts. */
const canBePaid = ({ status, worker }: UnpaidHire, { currentState }: ReplayedDecision): boolean =>
  status === 'hired' || currentState(Muse.streamName(worker), Muse).status !== 'forgotten';
