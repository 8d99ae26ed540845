import type { Journal } from '#libs/event-log/journal.js';
import type { Event, Position, StoredEvent } from '#libs/kernel/event.js';
import { FORGOTTEN, getForgottenMuseId } from '#libs/kernel/event-type.js';

/** Events that this version cannot decode are only in `stored`. */
export interface LogPage {
  readonly events: readonly Event[];
  readonly stored: readonly StoredEvent[];
  readonly next: Position;
}

const isForgotten = ({ type }: StoredEvent) => type === FORGOTTEN;

/**
 * Reads a page that ends before a `Forgotten` event, or contains only that event. The muse's key is then destroyed
 * before later events are decoded, so none is folded with erased values.
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

export const findForgottenEvent = ({ stored, events }: LogPage): Event | undefined =>
  stored.length === 1 && isForgotten(stored[0]!) ? events[0] : undefined;
