import { mapMembers } from '#libs/kernel/map-members.js';
import type { EventContext, StreamSource } from '#libs/kernel/decide.js';
import {
  type Event,
  type Fact,
  type NewEvent,
  type Position,
  signedRequestOf,
  type StreamRevisions,
} from '#libs/kernel/event.js';
import { IdCollision, deriveEventId } from '#libs/kernel/ids.js';
import { nonceUsed, Refusal } from '#libs/kernel/refusal.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import type { Journal, LoadedStream } from './journal.js';
import { RevisionConflict } from './event-log.port.js';

const ATTEMPTS_MAX = 4;
const BUSY_RETRY_SECONDS = 1;

export type Sources = { readonly [name: string]: StreamSource<unknown> | undefined };
export type StatesOf<R extends Sources> = {
  readonly [K in keyof R]: R[K] extends StreamSource<infer S>
    ? S
    : R[K] extends StreamSource<infer S> | undefined
      ? S | undefined
      : never;
};

export interface CommandPlan<S, R extends Sources> {
  readonly writes: StreamSource<S>;
  /** Other streams that the decision reads, or a function of the target's state. Their revisions become `based_on`. */
  readonly reads?: R | ((state: S) => R);
  /** Streams that follow from those of `reads`. */
  readsNext?(reads: StatesOf<R>): Sources;
  decide(state: S, reads: StatesOf<R>): readonly Fact[];
  /**
   * Called after each decision with the facts and their place in the log. Throws a `Refusal` if they exceed a limit.
   */
  admit?(facts: readonly Fact[], place: string): Promise<void>;
  /** Moment of authorization (`EventLog.moment`): loaded streams are at least this recent. Defaults to now. */
  readonly asOf?: Position | undefined;
  readonly mustSeal?: boolean;
  /** Claims unique values before the events are written. Throws a `Refusal` if one is taken. */
  claim?(facts: readonly Fact[], loaded: LoadedStream<S>): Promise<void>;
}

export interface CommandOutcome<S, R, E = Event> {
  readonly state: S;
  readonly reads: R;
  /** Events of this request, written now or by an earlier attempt. Empty if nothing changed. */
  readonly events: readonly E[];
  readonly repeated: boolean;
  readonly position: Position;
  /** If it wrote nothing: the streams that it read, with its own one, and their revisions. */
  readonly basedOn?: StreamRevisions;
}

/**
 * Loads, decides and appends; retries on conflicts, then throws `busy`. A repeated request returns the events of the
 * first one. Throws refusals of `decide`, `admit` and `claim`; `nonce_used` if the request key belongs to another
 * message; `Unavailable`.
 */
export async function executeCommand<S, R extends Sources = Record<never, never>>(
  journal: Journal,
  context: EventContext,
  plan: CommandPlan<S, R>,
): Promise<CommandOutcome<S, StatesOf<R>>> {
  const target = plan.writes.isCreatedByRequest ? journal.loadNew(plan.writes) : null;
  const outcome = target && (await appendToNewStream(journal, context, plan, target));
  if (outcome) return outcome;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const { target, others } = await loadPlan(journal, plan, attempt === 1 ? plan.asOf : undefined);
    const reads = statesOf<R>(others);
    const events = await journal.readAt(
      target.stream,
      target.ids.findRequestRevisions(target.stream, context.requestKey),
      target.position,
    );
    if (events.length > 0) return createRepeatedOutcome(target, reads, events, context);
    const outcome = await decideAndAppend(journal, context, plan, { target, others });
    if (outcome) return outcome;
  }
  throw new Refusal('busy', 'Too many requests are changing this right now. Try again in a second.', {
    retryAfter: BUSY_RETRY_SECONDS,
  });
}

async function decideAndAppend<S, R extends Sources>(
  journal: Journal,
  context: EventContext,
  plan: CommandPlan<S, R>,
  { target, others }: { readonly target: LoadedStream<S>; readonly others: LoadedStreams },
): Promise<CommandOutcome<S, StatesOf<R>> | null> {
  const reads = statesOf<R>(others);
  const facts = plan.decide(target.state, reads);
  if (facts.length === 0) {
    const [position, basedOn] = [findLastPosition(target, others), revisionsOf({ ...others, target })];
    return { state: target.state, reads, events: [], repeated: false, position, basedOn };
  }
  await plan.admit?.(facts, `${target.stream}@${target.revision}`);
  await plan.claim?.(facts, target);
  try {
    const drafts = toNewEvents(facts, target, others, context);
    const events = await journal.append(target.stream, target.revision, drafts, { ...context, ...plan });
    const state = events.reduce((state, event) => plan.writes.entity.evolve(state, event), target.state);
    if (!isWrittenBy(events[0]!, context)) return createRepeatedOutcome({ ...target, state }, reads, events, context);
    journal.cache(plan.writes, target, events);
    return { state, reads, events, repeated: false, position: events.at(-1)!.position };
  } catch (error) {
    if (!(error instanceof RevisionConflict)) throw error;
    return null;
  }
}

/**
 * Assumes that the stream is empty, which the append verifies. Returns null if it is not, or on a refusal: a repeated
 * request must return its events even if it would be refused now.
 */
async function appendToNewStream<S, R extends Sources>(
  journal: Journal,
  context: EventContext,
  plan: CommandPlan<S, R>,
  target: LoadedStream<S>,
): Promise<CommandOutcome<S, StatesOf<R>> | null> {
  const reads = typeof plan.reads === 'function' ? plan.reads(target.state) : (plan.reads ?? {});
  const others = await loadReads(journal, plan, reads, plan.asOf);
  try {
    const outcome = await decideAndAppend(journal, context, plan, { target, others });
    const [first] = outcome?.events ?? [];
    return first?.at === context.at && !outcome!.repeated ? outcome : null;
  } catch (error) {
    if (error instanceof Refusal || error instanceof IdCollision) return null;
    throw error;
  }
}

type LoadedStreams = { readonly [name: string]: LoadedStream<unknown> };

async function loadPlan<S, R extends Sources>(journal: Journal, plan: CommandPlan<S, R>, asOf?: Position) {
  if (typeof plan.reads === 'function') {
    const target = await journal.load(plan.writes, asOf);
    return { target, others: await loadReads(journal, plan, plan.reads(target.state), asOf) };
  }
  const [target, others] = await Promise.all([
    journal.load(plan.writes, asOf),
    loadReads(journal, plan, plan.reads ?? {}, asOf),
  ]);
  return { target, others };
}

async function loadReads<S, R extends Sources>(
  journal: Journal,
  plan: CommandPlan<S, R>,
  reads: Sources,
  asOf?: Position,
): Promise<LoadedStreams> {
  const others = await loadSources(journal, reads, asOf);
  const next = plan.readsNext?.(statesOf<R>(others)) ?? {};
  return { ...others, ...(await loadSources(journal, next, asOf)) };
}

async function loadSources(journal: Journal, sources: Sources, asOf?: Position): Promise<LoadedStreams> {
  const named = Object.entries(sources).filter(
    (entry): entry is [string, StreamSource<unknown>] => entry[1] !== undefined,
  );
  const loaded = await Promise.all(named.map(([, source]) => journal.load(source, asOf)));
  return Object.fromEntries(named.map(([name], i) => [name, loaded[i]!]));
}

const statesOf = <R extends Sources>(others: LoadedStreams) => mapMembers(others, ({ state }) => state) as StatesOf<R>;

function findLastPosition(target: LoadedStream<unknown>, others: LoadedStreams): Position {
  return [target, ...Object.values(others)]
    .map(({ position }) => position)
    .sort()
    .at(-1)!;
}

function createRepeatedOutcome<S, R extends Sources>(
  target: LoadedStream<S>,
  reads: StatesOf<R>,
  events: Event[],
  context: EventContext,
): CommandOutcome<S, StatesOf<R>> {
  if (!isSameMessage(events[0]!, context)) throw nonceUsed();
  return { state: target.state, reads, events, repeated: true, position: events.at(-1)!.position };
}

/** An erased salt cannot be compared and counts as the same message. */
function isSameMessage({ authorization }: Event, { message }: EventContext): boolean {
  const request = authorization.mode === 'signature' ? signedRequestOf(authorization) : null;
  if (authorization.mode !== 'signature' || message === undefined || request === null) return true;
  return computeCommitment(request.salt, message) === authorization.commitment;
}

/** Another process may have stored an event with the same id for another message. */
function isWrittenBy(
  { authorization: storedAuthorization }: Event,
  { authorization: ownAuthorization }: EventContext,
): boolean {
  return (
    storedAuthorization.mode !== 'signature' ||
    ownAuthorization.mode !== 'signature' ||
    storedAuthorization.commitment === ownAuthorization.commitment
  );
}

function toNewEvents(
  facts: readonly Fact[],
  target: LoadedStream<unknown>,
  others: LoadedStreams,
  context: EventContext,
): NewEvent[] {
  const basedOn = { ...context.basedOn, ...revisionsOf(others) };
  return newEvents(facts, target.stream, { ...context, basedOn });
}

const revisionsOf = (streams: LoadedStreams): StreamRevisions =>
  Object.fromEntries(
    Object.values(streams).flatMap(({ stream, revision }) => (revision === 'none' ? [] : [[stream, revision]])),
  );

export function newEvents(facts: readonly Fact[], stream: string, context: Omit<EventContext, 'message'>): NewEvent[] {
  const ordinals = new Map<string, number>();
  const basedOn = Object.hasOwn(context.basedOn, stream) ? omitStream(context.basedOn, stream) : context.basedOn;
  return facts.map(fact => {
    const ordinal = ordinals.get(fact.type) ?? 0;
    ordinals.set(fact.type, ordinal + 1);
    return {
      ...fact,
      id: deriveEventId(context.requestKey, stream, fact.type, ordinal),
      stream,
      at: context.at,
      actor: context.actor,
      cause: context.cause,
      decided_by: context.decidedBy,
      based_on: basedOn,
      authorization: context.authorization,
    };
  });
}

const omitStream = (revisions: EventContext['basedOn'], stream: string) =>
  Object.fromEntries(Object.entries(revisions).filter(([name]) => name !== stream));
