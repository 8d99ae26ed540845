import { pages } from '#libs/documents/pages.js';
import { reached } from '#libs/documents/reached.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import type { Journal } from '#libs/event-log/journal.js';
import { rule } from '#libs/kernel/refusal.js';
import { Hire, isPartyOf } from '#libs/streams/hire.js';
import { isOpen, Job } from '#libs/streams/job.js';
import { type HireDocument, Hires } from '#libs/views/hires.js';
import { Roles } from '#libs/views/roles.js';

interface Uses {
  readonly journal: Journal;
  readonly models: ReadModels;
}

/**
 * Refuses with `unfinished_work` where a muse that is to act no more has a hire that waits for it, or an open job. The
 * documents say where to look, once they contain the log as it is now; what is decided on is read from the log.
 */
export async function assertNothingUnfinished(muse: string, at: number, { journal, models }: Uses): Promise<void> {
  await reached(models, await journal.log.head(), Hires, Roles);
  const isFree = (holds: boolean, otherwise: string) => rule(holds, 'unfinished_work', otherwise, { field: 'to' });
  for await (const hire of hiresOf(models, muse)) {
    const { state } = await journal.load(Hire.of(hire));
    isFree(!isUnfinishedFor(state, muse), `Hire ${hire} still waits for the earlier identity.`);
  }
  for await (const role of openJobsOf(models, muse)) {
    const { state } = await journal.load(Job.of(role));
    isFree(!isOpen(state, at), `The job ${role} of the earlier identity is open.`);
  }
}

/**
 * Whether something is left to be done that a party alone can do: by the worker to deliver, by the poster to accept
 * what is free and to pay what is not. Either may end it before a delivery.
 */
function isUnfinishedFor(hire: Hire, muse: string): boolean {
  if (hire.status === 'hired') return isPartyOf(hire, muse);
  if (hire.status !== 'delivered' || hire.poster !== muse) return false;
  return hire.budget !== null || hire.acceptance === null;
}

/** Whatever may be unfinished, by what a document says: as worker what is not delivered, as poster what is not paid. */
async function* hiresOf(models: ReadModels, muse: string): AsyncGenerator<number> {
  const worked = { index: 'byWorker', equals: [muse], last: ({ opened }: HireDocument) => [opened] };
  for await (const hires of pages(models.of(Hires), worked))
    for (const { hire, ended, delivery } of hires) if (!ended && !delivery) yield hire;
  const posted = { index: 'byPoster', equals: [muse], last: () => [] };
  for await (const hires of pages(models.of(Hires), posted))
    for (const { hire, ended, paid } of hires) if (!ended && !paid) yield hire;
}

async function* openJobsOf(models: ReadModels, muse: string): AsyncGenerator<string> {
  const posted = { index: 'byPoster', equals: [muse], last: ({ opened }: { readonly opened: string }) => [opened] };
  for await (const roles of pages(models.of(Roles), posted))
    for (const { slug, closed } of roles) if (!closed) yield slug;
}
