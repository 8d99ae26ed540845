import { DerivedIds, formatDecisionKey, type Ids, type Integers } from './ids.js';
import type { Authorization, StreamRevisions, Event, Position } from './event.js';
import type { JsonObject } from './json.js';

/** Context that a decision may use. Decisions have no clock and no randomness. */
export interface DecisionContext {
  /** A muse_id, or `house`, `operator`, `service`. */
  readonly actor: string;
  /** Unix ms. */
  readonly at: number;
  readonly ids: Ids;
}

/** Daily sum of the token of a request. */
export interface SpendingLimit {
  /** Hash prefix of the first token of the account. */
  readonly account: string;
  /** Smallest units. */
  readonly limit: string;
}

export interface CommandContext extends DecisionContext {
  /**
   * Source of all derived ids, so that a repetition creates the same ones. Auditors derive it from the event:
   * `formatDecisionKey`, or the key that the decision declares.
   */
  readonly requestKey: string;
  readonly ids: DerivedIds;
  readonly cause: string;
  /** No key identifies the request, so it cannot be repeated. */
  readonly isUnrepeatable?: boolean;
  /** Decision and version of its rules: `hire@1`. */
  readonly decidedBy: string;
  readonly authorization: Authorization;
  /** Signed message of the request. An event under the same request key must have the same one. */
  readonly message?: Uint8Array;
  readonly basedOn: StreamRevisions;
  /** Whether `at` is that of the event named by `cause`, however long ago that was. */
  readonly hasTimeOfCause?: true;
  readonly spending?: SpendingLimit | undefined;
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

/** `body` has no `ok`; `position` includes the events that the command wrote. */
export interface CommandResult {
  readonly body: JsonObject;
  readonly position: Position;
  readonly headers?: { readonly [name: string]: string };
}

/**
 * Context of a follow-up event in another stream, derived from the event alone: every process that writes it writes the
 * same.
 */
export function consequenceContext(event: Event, decidedBy: string): EventContext {
  const { id, actor, at, authorization, stream, revision } = event;
  const basedOn = { ...event.based_on, [stream]: revision };
  const requestKey = formatDecisionKey(id, decidedBy);
  return { actor, at, requestKey, cause: id, decidedBy, authorization, basedOn, hasTimeOfCause: true };
}

type SystemAction = Pick<EventContext, 'at' | 'cause' | 'decidedBy' | 'hasTimeOfCause'> &
  Partial<Pick<EventContext, 'requestKey'>>;

/** Context of an action of the service or its operator. */
export const systemContext = (mode: 'service' | 'operator', reason: string, action: SystemAction): EventContext => ({
  requestKey: formatDecisionKey(action.cause, action.decidedBy),
  ...action,
  actor: mode,
  authorization: { mode, reason },
  basedOn: {},
});

interface ServiceAction extends SystemAction {
  readonly integers: Integers;
  readonly reason: string;
}

export const serviceContext = ({ reason, integers, ...action }: ServiceAction): CommandContext =>
  withIds(systemContext('service', reason, action), integers);
