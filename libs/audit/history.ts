import { STREAMS } from '#libs/features/streams.generated.js';
import type { Entity } from '#libs/kernel/decide.js';
import type { Event, Revision } from '#libs/kernel/event.js';

const ENTITIES: ReadonlyMap<string, Entity<unknown>> = new Map(
  STREAMS.map(stream => [stream.category, stream as Entity<unknown>]),
);

/** How many of the newest states of one stream are kept. A decision reads states that were new when it was made. */
export const STATES_MAX = 1_000;

const categoryOf = (stream: string) => stream.split('-', 1)[0]!;

interface StreamHistory {
  /** Of the newest state. */
  revision: Revision;
  /** The state after each of the last revisions; none for a stream of a kind that is not known. */
  readonly states: unknown[];
}

/** A state that is asked for is older than those that are kept. */
export class StateTooOldError extends Error {}

/** The states of every stream, revision by revision. States share what did not change between them. */
export class History {
  private readonly streams = new Map<string, StreamHistory>();

  applyEvent(event: Event): void {
    const known = this.streams.get(event.stream);
    const stream = known ?? { revision: -1, states: [] };
    if (!known) this.streams.set(event.stream, stream);
    stream.revision = event.revision;
    const entity = ENTITIES.get(categoryOf(event.stream));
    if (!entity) return;
    stream.states.push(entity.evolve(stream.states.length > 0 ? stream.states.at(-1) : entity.initial, event));
    if (stream.states.length >= 2 * STATES_MAX) stream.states.splice(0, STATES_MAX);
  }

  /** The revision of the last event that was seen; -1 for none. */
  latestRevision(stream: string): Revision {
    return this.streams.get(stream)?.revision ?? -1;
  }

  latestState<S>(stream: string, entity: Entity<S>): S {
    const states = this.streams.get(stream)?.states ?? [];
    return states.length > 0 ? (states.at(-1) as S) : entity.initial;
  }

  /** The state behind a revision; -1 is before the first event. Throws `TooOld`. */
  stateAt<S>(stream: string, revision: Revision, entity: Entity<S>): S {
    const known = this.streams.get(stream);
    if (!known || revision < 0) return entity.initial;
    const index = known.states.length - 1 - (known.revision - revision);
    if (index < 0) throw new StateTooOldError(`Revision ${revision} of ${stream} is too long ago to be decided on.`);
    return known.states[Math.min(index, known.states.length - 1)] as S;
  }

  /** The newest state of every stream of a category. */
  *statesOfCategory<S>(category: string): Generator<S> {
    for (const [stream, { states }] of this.streams)
      if (categoryOf(stream) === category && states.length > 0) yield states.at(-1) as S;
  }
}
