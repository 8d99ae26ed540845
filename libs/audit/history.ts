import { NotReplayable } from '#libs/endpoints/decision.js';
import { STREAMS } from '#libs/features/streams.generated.js';
import type { Entity } from '#libs/kernel/decide.js';
import type { Event, Revision } from '#libs/kernel/event.js';
import { addToList } from '#libs/kernel/list-map.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { type EventOf, isEventOf } from '#libs/domain/define.js';
import { Hired } from '#libs/features/hires/domain/hire.js';

const ENTITIES: ReadonlyMap<string, Entity<unknown>> = new Map(
  STREAMS.map(stream => [stream.category, stream as Entity<unknown>]),
);

/** Per stream. A decision reads states that were recent when it was made. */
export const STATES_MAX = 1_000;

const categoryOf = (stream: string) => stream.split('-', 1)[0]!;

interface StreamHistory {
  revision: Revision;
  /** Unix ms of its first event. */
  readonly since: number;
  /** Newest last; empty for an unknown category. */
  readonly states: unknown[];
  /** Unix ms of each state. */
  readonly times: number[];
}

export class StateTooOldError extends NotReplayable {}

export class History {
  private readonly streams = new Map<string, StreamHistory>();
  private readonly hiresByPoster = new Map<string, string[]>();
  private readonly hiresByWorker = new Map<string, string[]>();

  applyEvent(event: Event): void {
    const stream = this.streams.get(event.stream) ?? { revision: -1, since: event.at, states: [], times: [] };
    if (isEventOf(Hired, event)) this.recordHire(event);
    this.streams.set(event.stream, stream);
    stream.revision = event.revision;
    const entity = ENTITIES.get(categoryOf(event.stream));
    if (!entity) return;
    stream.states.push(entity.evolve(stream.states.length > 0 ? stream.states.at(-1) : entity.initial, event));
    stream.times.push(event.at);
    if (stream.states.length < 2 * STATES_MAX) return;
    stream.states.splice(0, STATES_MAX);
    stream.times.splice(0, STATES_MAX);
  }

  private recordHire({ stream, data }: EventOf<typeof Hired>): void {
    addToList(this.hiresByPoster, resolvePosterId(data.poster), stream);
    addToList(this.hiresByWorker, data.worker, stream);
  }

  hiresOf(poster: string): readonly string[] {
    return this.hiresByPoster.get(poster) ?? [];
  }

  hiresBy(worker: string): readonly string[] {
    return this.hiresByWorker.get(worker) ?? [];
  }

  existedAt(stream: string, at: number): boolean {
    return (this.streams.get(stream)?.since ?? Infinity) <= at;
  }

  /** The state at a time and all later ones; empty if the stream began later. */
  statesSince<S>(stream: string, at: number): readonly S[] {
    const { states, times } = this.streams.get(stream) ?? { states: [], times: [] };
    const index = times.findLastIndex(time => time <= at);
    return index < 0 ? [] : (states.slice(index) as S[]);
  }

  /** Null if older states are no longer in memory. */
  allStates<S>(stream: string): readonly S[] | null {
    const { states, revision } = this.streams.get(stream) ?? { states: [], revision: -1 };
    return states.length === revision + 1 ? (states as S[]) : null;
  }

  /** Returns -1 for an unknown stream. */
  latestRevision(stream: string): Revision {
    return this.streams.get(stream)?.revision ?? -1;
  }

  latestState<S>(stream: string, entity: Entity<S>): S {
    const states = this.streams.get(stream)?.states ?? [];
    return states.length > 0 ? (states.at(-1) as S) : entity.initial;
  }

  /** Throws `StateTooOldError` if the state is no longer in memory. */
  stateAt<S>(stream: string, revision: Revision, entity: Entity<S>): S {
    const streamHistory = this.streams.get(stream);
    if (!streamHistory || revision < 0) return entity.initial;
    const { states, revision: latest } = streamHistory;
    const index = states.length - 1 - (latest - revision);
    if (index < 0) throw new StateTooOldError(`The state of ${stream} at revision ${revision} is no longer in memory.`);
    return states[Math.min(index, states.length - 1)] as S;
  }

  *statesOfCategory<S>(category: string): Generator<S> {
    for (const [stream, { states }] of this.streams)
      if (categoryOf(stream) === category && states.length > 0) yield states.at(-1) as S;
  }
}
