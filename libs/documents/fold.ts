import { type Event, type Position, LOG_START, type StoredEvent } from '#libs/kernel/event.js';
import { FORGOTTEN, getForgottenMuseId } from '#libs/kernel/event-type.js';
import type { Json } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import type { FoldedDocument } from './document-store.port.js';
import { fieldName } from './index-range.js';

export class ProjectionError extends Error {
  constructor(
    readonly projection: string,
    readonly event: Event,
    options: { cause: unknown },
  ) {
    super(
      `${projection} cannot take ${event.type} ${event.id} at ${event.position}: ${String(options.cause)}`,
      options,
    );
    this.name = 'ProjectionError';
  }
}

export function selectEvents(
  { raw, types }: Projection,
  { events, stored }: { readonly events: readonly Event[]; readonly stored: readonly StoredEvent[] },
  after: Position = LOG_START,
): readonly Event[] {
  const selected = raw ? (stored as readonly Event[]) : events.filter(({ type }) => types.includes(type));
  const isNew = selected.length === 0 || selected[0]!.position > after;
  return isNew ? selected : selected.filter(({ position }) => position > after);
}

function* findHeldDocuments(
  { holders = [], indexes }: Projection,
  event: Event,
  ...all: readonly ReadonlyMap<string, FoldedDocument>[]
): Generator<string> {
  const fields = holders.map(index => fieldName(indexes[index]![0]!));
  const museId = getForgottenMuseId(event);
  const isHeldIn = (value: Json | undefined) => (Array.isArray(value) ? value.includes(museId) : value === museId);
  for (const documents of all)
    for (const { id, body } of documents.values()) if (fields.some(field => isHeldIn(body?.[field]))) yield id;
}

interface DocumentChange {
  readonly event: Event;
  readonly ids: readonly string[];
}

export function changesOf(projection: Projection, events: readonly Event[]): DocumentChange[] {
  const changes: DocumentChange[] = [];
  for (const event of events) {
    const ids = wrapProjectionError(projection, event, () => projection.keys(event));
    if (ids.length > 0 || event.type === FORGOTTEN)
      changes.push({ event, ids: ids.length > 1 ? [...new Set(ids)] : ids });
  }
  return changes;
}

export const listChangedIds = (changes: readonly DocumentChange[]): string[] => [
  ...new Set(changes.flatMap(({ ids }) => ids)),
];

/**
 * Returns the changed documents. `before` holds their current state; an event that a document has already seen is
 * skipped. `Forgotten` also changes every document in memory that may hold the muse's data.
 */
export function foldChanges(
  projection: Projection,
  changes: readonly DocumentChange[],
  before: ReadonlyMap<string, FoldedDocument>,
): FoldedDocument[] {
  const documents = new Map<string, FoldedDocument>();
  for (const { event, ids } of changes) {
    const heldIds = event.type === FORGOTTEN ? [...findHeldDocuments(projection, event, before, documents)] : [];
    for (const id of heldIds.length > 0 ? new Set([...ids, ...heldIds]) : ids) {
      const document = documents.get(id) ?? before.get(id);
      if (document && document.position >= event.position) continue;
      const body = wrapProjectionError(projection, event, () =>
        projection.evolve(document?.body ?? undefined, event, id),
      );
      if (document && body === document.body) continue;
      documents.set(id, { id, position: event.position, body });
    }
  }
  return [...documents.values()];
}

export const fold = (projection: Projection, events: readonly Event[], before: ReadonlyMap<string, FoldedDocument>) =>
  foldChanges(projection, changesOf(projection, events), before);

function wrapProjectionError<T>(projection: Projection, event: Event, take: () => T): T {
  try {
    return take();
  } catch (cause) {
    throw new ProjectionError(projection.name, event, { cause });
  }
}
