import { type Event, type Position, LOG_START, type StoredEvent } from '#libs/kernel/event.js';
import { FORGOTTEN, getForgottenMuseId } from '#libs/kernel/event-type.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';

/** A document in memory; a body of null is one that was removed. */
export interface FoldedDocument {
  readonly id: string;
  readonly position: Position;
  readonly body: JsonObject | null;
}

/** An event that a projection cannot take. */
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
    this.name = 'Poison';
  }
}

/** The events of a page behind a position that a projection folds, in the form in which it does. */
export function selectEvents(
  { raw, types }: Projection,
  { events, stored }: { readonly events: readonly Event[]; readonly stored: readonly StoredEvent[] },
  after: Position = LOG_START,
): readonly Event[] {
  const own = raw ? (stored as readonly Event[]) : events.filter(({ type }) => types.includes(type));
  const isNew = own.length === 0 || own[0]!.position > after;
  return isNew ? own : own.filter(({ position }) => position > after);
}

/** The documents in memory that may hold what a muse wrote who is forgotten. */
function* findHeldDocuments(
  { holders = [], indexes }: Projection,
  event: Event,
  ...all: readonly ReadonlyMap<string, FoldedDocument>[]
): Generator<string> {
  const fields = holders.map(index => indexes[index]![0]!);
  for (const documents of all)
    for (const { id, body } of documents.values())
      if (fields.some(field => body?.[field] === getForgottenMuseId(event))) yield id;
}

/** An event, and the documents that it changes, each once. */
export interface DocumentChange {
  readonly event: Event;
  readonly ids: readonly string[];
}

/** What events change; those that change nothing are left out. `events` are those of the projection's types. */
export function changesOf(projection: Projection, events: readonly Event[]): DocumentChange[] {
  const changes: DocumentChange[] = [];
  for (const event of events) {
    const ids = wrapProjectionError(projection, event, () => projection.keys(event));
    if (ids.length > 0 || event.type === FORGOTTEN)
      changes.push({ event, ids: ids.length > 1 ? [...new Set(ids)] : ids });
  }
  return changes;
}

/** The documents that changes touch, each once. */
export const listChangedIds = (changes: readonly DocumentChange[]): string[] => [
  ...new Set(changes.flatMap(({ ids }) => ids)),
];

/**
 * The touched documents after the changes: what each was is in `before`; one that has seen an event already skips it. A
 * `Forgotten` changes every one in memory that may hold what its muse wrote.
 */
export function foldChanges(
  projection: Projection,
  changes: readonly DocumentChange[],
  before: ReadonlyMap<string, FoldedDocument>,
): FoldedDocument[] {
  const documents = new Map<string, FoldedDocument>();
  for (const { event, ids } of changes) {
    const held = event.type === FORGOTTEN ? [...findHeldDocuments(projection, event, before, documents)] : [];
    for (const id of held.length > 0 ? new Set([...ids, ...held]) : ids) {
      const document = documents.get(id) ?? before.get(id);
      if (document && document.position >= event.position) continue;
      const body = wrapProjectionError(projection, event, () =>
        projection.evolve(document?.body ?? undefined, event, id),
      );
      // What an event has left as it was need not be written again.
      if (document && body === document.body) continue;
      documents.set(id, { id, position: event.position, body });
    }
  }
  return [...documents.values()];
}

/** The documents that events touch, after them. */
export const fold = (projection: Projection, events: readonly Event[], before: ReadonlyMap<string, FoldedDocument>) =>
  foldChanges(projection, changesOf(projection, events), before);

function wrapProjectionError<T>(projection: Projection, event: Event, take: () => T): T {
  try {
    return take();
  } catch (cause) {
    throw new ProjectionError(projection.name, event, { cause });
  }
}
