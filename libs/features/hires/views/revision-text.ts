import type { Journal } from '#libs/event-log/journal.js';
import { Hire } from '#libs/features/hires/domain/hire.js';

/** The text of a revision, which is in no document, because only the parties may read it. Null once erased. */
export async function loadRevisionText(
  journal: Pick<Journal, 'load'>,
  hire: number,
  count: number,
): Promise<string | null> {
  const { state } = await journal.load(Hire.source(hire));
  return state.status === 'unknown' ? null : (state.revisionTexts[count - 1] ?? null);
}
