import type { Journal } from '#libs/event-log/journal.js';
import type { Event, Position, StoredEvent } from '#libs/kernel/event.js';
import { FORGOTTEN, getForgottenMuseId } from '#libs/kernel/event-type.js';

/** A page of the whole log. What this build does not know is in `stored` alone. */
export interface LogPage {
  readonly events: readonly Event[];
  readonly stored: readonly StoredEvent[];
  readonly next: Position;
}

const isForgotten = ({ type }: StoredEvent) => type === FORGOTTEN;

/**
 * A page that ends in front of a `Forgotten`, or is one alone. That muse's key is gone before anything behind it is
 * opened, so that nothing that it wrote at the same moment is folded with its values. `read`: which page of the journal.
 */
export async function readLogPage(
  journal: Journal,
  after: Position,
  limit: number,
  read: 'readAll' | 'readNews' = 'readAll',
): Promise<LogPage> {
  const page = await journal[read](after, limit);
  const at = page.stored.findIndex(isForgotten);
  if (at < 0) return page;
  const stored = page.stored.slice(0, Math.max(1, at));
  if (at === 0) await journal.erase(getForgottenMuseId(stored[0]!));
  const next = stored.at(-1)!.position;
  return { events: page.events.filter(({ position }) => position <= next), stored, next };
}

/** The `Forgotten` that a page is, alone; undefined for every other page. */
export const findForgottenEvent = ({ stored, events }: LogPage): Event | undefined =>
  stored.length === 1 && isForgotten(stored[0]!) ? events[0] : undefined;
