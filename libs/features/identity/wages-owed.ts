import { iterateStoredPages } from '#libs/documents/iterate-pages.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { Journal } from '#libs/event-log/journal.js';
import { rule } from '#libs/kernel/refusal.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Muse } from '#libs/domain/muse.js';
import { hireOfWage, type WageDocument, Wages } from '#libs/features/hires/views/wages.js';

interface WageDependencies {
  readonly journal: Journal;
  readonly models: ReadModels;
}

const UNPAID = ['hired', 'owed'] as const satisfies readonly WageDocument['state'][];

/**
 * Throws `wage_owed` if a muse that is about to be linked has hires with an unpaid wage: only that muse could pay or
 * end them. Finds them in the read models, and checks each in the log.
 */
export async function assertOwesNoWage(muse: string, { journal, models }: WageDependencies): Promise<void> {
  await models.waitUntilReached(await journal.log.head(), [Wages]);
  for await (const hire of unpaidHires(models, muse)) {
    const { state } = await journal.load(Hire.source(hire));
    const isUnpaid = state.status === 'hired' || state.status === 'delivered';
    const isOpen = isUnpaid && state.budget !== null && state.dispute === null;
    const isOwed = isOpen && !(await isUnpayable(journal, state));
    rule(
      !isOwed,
      'wage_owed',
      `to names an identity that owes the wage of hire ${hire}. Pay, dispute or end that hire first.`,
      { field: 'to' },
    );
  }
}

async function* unpaidHires(models: ReadModels, muse: string): AsyncGenerator<number> {
  for (const state of UNPAID) {
    const range = { index: 'byPoster', equals: [muse, state], last: ({ since }: WageDocument) => [since] };
    for await (const wages of iterateStoredPages(models.of(Wages), range))
      for (const { id } of wages) yield hireOfWage(id);
  }
}

/** The worker of a delivered hire was forgotten, and no later identity of it can be paid. */
async function isUnpayable(journal: Journal, { status, worker }: Extract<Hire, { status: 'hired' | 'delivered' }>) {
  if (status === 'hired') return false;
  const { state: muse } = await journal.load(Muse.source(worker));
  if (muse.status !== 'forgotten') return false;
  const { linkedTo } = muse;
  return linkedTo === null || (await journal.load(Muse.source(linkedTo))).state.status === 'forgotten';
}
