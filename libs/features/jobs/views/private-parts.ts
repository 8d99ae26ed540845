import type { Journal } from '#libs/event-log/journal.js';
import { Application } from '#libs/features/jobs/domain/application.js';
import { toAmount } from '#libs/features/jobs/domain/wage-fields.js';
import type { ApplicationDocument } from './applications.js';

/** They come from the log: they are in no document, because only the poster may read them. Null once withdrawn. */
export async function loadPrivateParts(
  journal: Pick<Journal, 'load'>,
  { role, muse_id, status }: Pick<ApplicationDocument, 'role' | 'muse_id' | 'status'>,
) {
  const { state } = await journal.load(Application.source(role, muse_id));
  if (state.status === 'none' || status === 'withdrawn') return { trial_answer: null, ask: null };
  const { trialAnswer: trial_answer, ask } = state;
  return { trial_answer, ask: ask && toAmount(BigInt(ask.amount)) };
}
