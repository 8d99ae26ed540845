import type { Authorization, StreamRevisions, Event, Position } from './event.js';
import { DerivedIds, type Ids } from './derived-ids.js';
import type { Integers } from './ids.js';

/** Context that a decision may use. Decisions have no clock and no randomness. */
export interface DecisionContext {
  /** A muse_id, or `house`, `operator`, `service`. */
  readonly actor: string;
  /** Unix ms. */
  readonly at: number;
  readonly ids: Ids;
}

export interface CommandContext extends DecisionContext {
  /** Source of all derived ids, so that a repetition creates the same ones. */
  readonly requestKey: string;
  readonly ids: DerivedIds;
  readonly cause: string;
  /** Decision and version of its rules: `hire@1`. */
  readonly decidedBy: string;
  readonly authorization: Authorization;
  /** Signed message of the request. An event under the same request key must have the same one. */
  readonly message?: Uint8Array;
  readonly basedOn: StreamRevisions;
  /** Position of the log at authorization: the command reads nothing older (`EventLog.moment`). */
  readonly asOf?: Position;
}

export type EventContext = Omit<CommandContext, 'ids'>;

export const withIds = (context: EventContext, integers: Integers): CommandContext => ({
  ...context,
  ids: new DerivedIds(integers, context.requestKey),
});

/** Pure; never throws, never checks a rule. */
export interface Entity<State> {
  readonly initial: State;
  evolve(state: State, event: Event): State;
}

export interface StreamSource<S> {
  readonly stream: string;
  readonly entity: Entity<S>;
  readonly isCreatedByRequest?: boolean;
}

/** Skips the read: the append detects an existing stream. */
export const newStream = <S>(source: StreamSource<S>): StreamSource<S> => ({ ...source, isCreatedByRequest: true });
