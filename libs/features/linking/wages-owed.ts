import { iterateStoredPages } from '#libs/documents/iterate-pages.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { Journal } from '#libs/event-log/journal.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Muse } from '#libs/domain/muse.js';
import { hireOfWage, type WageDocument, Wages } from '#libs/features/hires/views/wages.js';

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

async function isOwed(journal: Journal, hire: number): Promise<boolean> {
  const { state } = await journal.load(Hire.source(hire));
  const isUnpaid = state.status === 'hired' || state.status === 'delivered';
  return isUnpaid && state.budget !== null && state.dispute === null && !(await isUnpayable(journal, state));
}

/** The worker of a delivered hire was forgotten, and no later identity of it can be paid. */
async function isUnpayable(journal: Journal, { status, worker }: Extract<Hire, { status: 'hired' | 'delivered' }>) {
  if (status === 'hired') return false;
  const { state: muse } = await journal.load(Muse.source(worker));
  if (muse.status !== 'forgotten') return false;
  const { linkedTo } = muse;
  return linkedTo === null || (await journal.load(Muse.source(linkedTo))).state.status === 'forgotten';
}
