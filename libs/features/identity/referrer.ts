import { Muse } from '#libs/streams/muse.js';
import type { Journal } from '#libs/event-log/journal.js';

/** The muse that a new one was referred by; null where it is unknown, which never stands in a newcomer's way. */
export async function referrer(journal: Journal, referredBy: string | undefined): Promise<string | null> {
  if (!referredBy) return null;
  const { state } = await journal.load(Muse.of(referredBy));
  return state.status === 'unknown' ? null : state.muse_id;
}
