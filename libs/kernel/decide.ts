import type { Authorization, StreamRevisions, Event, Position } from './event.js';
import { DerivedIds, type Ids } from './derived-ids.js';
import type { Integers } from './ids.js';

/** The part of a command that its decision sees. A decision has no clock and no randomness of its own. */
export interface DecisionContext {
  /** The muse that acts, or `house`, `operator`, `service`. */
  readonly actor: string;
  /** Unix ms. */
  readonly at: number;
  readonly ids: Ids;
}

/** Actor, time, cause and authorization of a command: the envelope of its events follows from it. */
export interface CommandContext extends DecisionContext {
  /** Everything that the command makes is derived from it, so that a repetition makes the same. */
  readonly requestKey: string;
  readonly ids: DerivedIds;
  /** The id of the request or event that led to the command. */
  readonly cause: string;
  /** The decision and the version of its rules: `hire@1`. */
  readonly decidedBy: string;
  readonly authorization: Authorization;
  /** The signed message, if the request key belongs to one message: an event under the key must have the same one. */
  readonly message?: Uint8Array;
  /** The revision of the actor's own stream that it was authorized at. */
  readonly basedOn: StreamRevisions;
  /** The moment that the request was authorized at: it reads nothing older (`EventLog.moment`). */
  readonly asOf?: Position;
}

/** A command whose decision makes no ids. */
export type EventContext = Omit<CommandContext, 'ids'>;

/** Completes a context by the ids that its request key gives. */
export const withIds = (context: EventContext, integers: Integers): CommandContext => ({
  ...context,
  ids: new DerivedIds(integers, context.requestKey),
});

/** How a stream's state follows from its events. Pure; never throws, never checks a rule. */
export interface Entity<State> {
  readonly initial: State;
  evolve(state: State, event: Event): State;
}

/** Where a stream's state is folded from. */
export interface StreamSource<S> {
  readonly stream: string;
  readonly entity: Entity<S>;
  /** Whether it is named by what is derived from the request alone, so that nothing stands in it but by a repetition. */
  readonly isCreatedByRequest?: boolean;
}

/** A stream that the request begins: it is not read before, the append says whether something stands there. */
export const newStream = <S>(source: StreamSource<S>): StreamSource<S> => ({ ...source, isCreatedByRequest: true });
