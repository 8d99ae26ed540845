import type { Event, Position, StoredEvent } from '#libs/kernel/event.js';
import { forgottenIn } from '#libs/event-log/forgotten-muses.js';
import type { Json, JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { Forgotten } from '#libs/streams/muse.js';

/** A document in memory; a body of null is one that was removed. */
export interface Folded {
  readonly id: string;
  readonly position: Position;
  readonly body: JsonObject | null;
}

/** An event that a projection cannot take. */
export class Poison extends Error {
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

/** The events of a page that a projection folds, in the form in which it does. */
export function eventsFor(
  { raw, types }: Projection,
  { events, stored }: { events: readonly Event[]; stored: readonly StoredEvent[] },
): readonly Event[] {
  return raw ? (stored as readonly Event[]) : events.filter(({ type }) => types.includes(type));
}

/** The documents in memory that may hold what a muse wrote who is forgotten. */
function* heldBy(
  { holders = [], indexes }: Projection,
  { data }: Event,
  ...all: readonly ReadonlyMap<string, Folded>[]
): Generator<string> {
  const fields = holders.map(index => indexes[index]![0]!);
  for (const documents of all)
    for (const { id, body } of documents.values())
      if (fields.some(field => body?.[field] === forgottenIn({ data: data as Json }))) yield id;
}

/** The documents that a batch of events touches, each once. `events` are those of the projection's types. */
export function touched(projection: Projection, events: readonly Event[]): string[] {
  return [...new Set(events.flatMap(event => guarded(projection, event, () => projection.keys(event))))];
}

/**
 * The touched documents after the events: what each was is in `before`; one that has seen an event already skips it. A
 * `Forgotten` changes every one in memory that may hold what its muse wrote.
 */
export function fold(projection: Projection, events: readonly Event[], before: ReadonlyMap<string, Folded>): Folded[] {
  const documents = new Map<string, Folded>();
  for (const event of events) {
    const held = event.type === Forgotten.type ? heldBy(projection, event, before, documents) : [];
    for (const id of new Set([...projection.keys(event), ...held])) {
      const document = documents.get(id) ?? before.get(id);
      if (document && document.position >= event.position) continue;
      const body = guarded(projection, event, () => projection.evolve(document?.body ?? undefined, event, id));
      // What an event has left as it was need not be written again.
      if (document && body === document.body) continue;
      documents.set(id, { id, position: event.position, body });
    }
  }
  return [...documents.values()];
}

function guarded<T>(projection: Projection, event: Event, take: () => T): T {
  try {
    return take();
  } catch (cause) {
    throw new Poison(projection.name, event, { cause });
  }
}
