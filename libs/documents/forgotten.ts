import type { EventPage } from '#libs/event-log/event-log.port.js';
import type { Journal, JournalPage } from '#libs/event-log/journal.js';
import type { Event, Position, StoredEvent } from '#libs/kernel/event.js';
import { FORGOTTEN, getForgottenMuseId } from '#libs/kernel/event-type.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import type { Collection, FoldedDocument, Scalar } from './document-store.port.js';
import { fold } from './fold.js';
import { iterateStoredPages } from './iterate-pages.js';

export const isForgotten = ({ type }: StoredEvent) => type === FORGOTTEN;

/**
 * Reads pages that end before a `Forgotten` event, or contain only that event. The muse's key is then destroyed before
 * later events are decoded, so none is folded with erased values. Keeps the rest of a page for the next read.
 */
export class LogPages {
  private rest: { readonly after: Position; readonly page: EventPage } | null = null;

  constructor(
    private readonly journal: Journal,
    private readonly read: 'readAll' | 'readNews' = 'readAll',
  ) {}

  async after(position: Position, limit: number): Promise<JournalPage> {
    const isKept = this.rest?.after === position;
    const page = isKept ? this.rest!.page : await this.journal.log[this.read](position, limit);
    const at = page.events.findIndex(isForgotten);
    if (at === 0) await this.journal.erase(getForgottenMuseId(page.events[0]!));
    const events = at < 0 ? page.events : page.events.slice(0, Math.max(1, at));
    const rest = page.events.slice(events.length);
    const next = rest.length > 0 ? events.at(-1)!.position : page.next;
    this.rest = rest.length > 0 ? { after: next, page: { events: rest, next: page.next } } : null;
    return this.journal.openPage({ events, next });
  }
}

/** Leaves out the events after a position. */
export function cutPage(page: JournalPage, end: Position): JournalPage {
  if (page.next <= end) return page;
  const isBefore = ({ position }: { readonly position: Position }) => position <= end;
  return { events: page.events.filter(isBefore), stored: page.stored.filter(isBefore), next: end };
}

export const findForgottenEvent = ({ stored, events }: JournalPage): Event | undefined =>
  stored.length === 1 && isForgotten(stored[0]!) ? events[0] : undefined;

/**
 * Yields the changed documents in slices. The caller must write each slice before it asks for the next one. Documents
 * that were erased before are left out.
 */
export async function* eraseForgotten(
  projection: Projection,
  collection: Collection,
  forgotten: Event,
): AsyncGenerator<FoldedDocument[]> {
  const equals = [getForgottenMuseId(forgotten)];
  for (const index of projection.holders ?? []) {
    const [, ...ordering] = projection.indexes[index]!;
    const last = (body: JsonObject) => ordering.map(field => (body[field] ?? null) as Scalar);
    for await (const slice of iterateStoredPages(collection, { index, equals, last })) {
      const changed = fold(projection, [forgotten], new Map(slice.map(document => [document.id, document])));
      if (changed.length > 0) yield changed;
    }
  }
}
