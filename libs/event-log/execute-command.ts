import type { EventContext, StreamSource } from '#libs/kernel/decide.js';
import type { Event, Fact, NewEvent, Position } from '#libs/kernel/event.js';
import { IdCollision, deriveEventId } from '#libs/kernel/ids.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import type { Journal, LoadedStream } from './journal.js';
import { RevisionConflict } from './event-log.port.js';

/** How often a command loads and decides again when others write into its stream at the same moment. */
const ATTEMPTS_MAX = 4;
const BUSY_RETRY_SECONDS = 1;

/** Streams to be read, by a name of one's own; undefined where there is nothing to be read. */
export type Sources = { readonly [name: string]: StreamSource<unknown> | undefined };
export type StatesOf<R extends Sources> = {
  readonly [K in keyof R]: R[K] extends StreamSource<infer S>
    ? S
    : R[K] extends StreamSource<infer S> | undefined
      ? S | undefined
      : never;
};

export interface CommandPlan<S, R extends Sources> {
  /** The stream that decides, and that the events go into. */
  readonly writes: StreamSource<S>;
  /** What else the decision reads, or how that follows from the deciding stream; its revisions go into `based_on`. */
  readonly reads?: R | ((state: S) => R);
  /** Pure. No events where there is nothing to change. */
  decide(state: S, reads: StatesOf<R>): readonly Fact[];
  /**
   * Is told of what will be written, each time it was decided, and of the one place where that can stand; throws a
   * `Refusal` where it is too much.
   */
  admit?(facts: readonly Fact[], place: string): Promise<void>;
  /** The moment that the request was authorized at (`EventLog.moment`): what is loaded is no older. By default it is as of now. */
  readonly asOf?: Position | undefined;
  /** Whether it is refused rather than stored as erased where its actor is forgotten meanwhile. */
  readonly mustSeal?: boolean;
  /** Takes what must be unique before the events are written; throws a `Refusal` where it is somebody else's. */
  claim?(facts: readonly Fact[], loaded: LoadedStream<S>): Promise<void>;
}

/** The result of a command in the log. */
export interface CommandOutcome<S, R, E = Event> {
  /** The deciding stream's state with everything that was written. */
  readonly state: S;
  readonly reads: R;
  /** The events of this request in the stream, written now or the first time; none if there was nothing to change. */
  readonly events: readonly E[];
  readonly repeated: boolean;
  /** Position of the last event that was written, else of the last one that was read. */
  readonly position: Position;
}

/**
 * The one way from a command to events: load the streams it decides on; where this request has been carried out
 * already, answer with what it wrote; else decide, and append at the revision that was read. On a conflict it loads
 * and decides again, at most `ATTEMPTS_MAX` times, then refuses with `busy`. A stream that the request begins is not
 * loaded first: where something stands there, or something is in the way, it goes on as with every other.
 *
 * Errors: what `decide`, `admit` and `claim` refuse; `nonce_used` where another message stands under the same request key;
 * `busy`; `Unavailable` of the log.
 */
export async function executeCommand<S, R extends Sources = Record<never, never>>(
  journal: Journal,
  context: EventContext,
  plan: CommandPlan<S, R>,
): Promise<CommandOutcome<S, StatesOf<R>>> {
  const target = plan.writes.isCreatedByRequest ? journal.loadNew(plan.writes) : null;
  const begun = target && (await appendToNewStream(journal, context, plan, target));
  if (begun) return begun;
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    // On a conflict somebody has written since.
    const { target, others } = await loadPlan(journal, plan, attempt === 1 ? plan.asOf : undefined);
    const reads = statesOf<R>(others);
    const own = await journal.readAt(
      target.stream,
      target.ids.findRequestRevisions(target.stream, context.requestKey),
      target.position,
    );
    if (own.length > 0) return createRepeatedOutcome(target, reads, own, context);
    const outcome = await decideAndAppend(journal, context, plan, { target, others });
    if (outcome) return outcome;
  }
  throw new Refusal('busy', 'Many others are changing the same thing right now.', { retryAfter: BUSY_RETRY_SECONDS });
}

/** Decides on what was loaded, and writes; null where somebody else has written meanwhile. */
async function decideAndAppend<S, R extends Sources>(
  journal: Journal,
  context: EventContext,
  plan: CommandPlan<S, R>,
  { target, others }: { readonly target: LoadedStream<S>; readonly others: LoadedStreams },
): Promise<CommandOutcome<S, StatesOf<R>> | null> {
  const reads = statesOf<R>(others);
  const facts = plan.decide(target.state, reads);
  if (facts.length === 0)
    return { state: target.state, reads, events: [], repeated: false, position: findLastPosition(target, others) };
  await plan.admit?.(facts, `${target.stream}@${target.revision}`);
  await plan.claim?.(facts, target);
  try {
    const made = toNewEvents(facts, target, others, context);
    const events = await journal.append(target.stream, target.revision, made, plan);
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
 * As though nothing stood in the stream, which the append finds out; null where that cannot be, or where it was refused:
 * a repetition is answered whatever is in its way by now.
 */
async function appendToNewStream<S, R extends Sources>(
  journal: Journal,
  context: EventContext,
  plan: CommandPlan<S, R>,
  target: LoadedStream<S>,
): Promise<CommandOutcome<S, StatesOf<R>> | null> {
  const reads = typeof plan.reads === 'function' ? plan.reads(target.state) : (plan.reads ?? {});
  const others = await loadSources(journal, reads, plan.asOf);
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
    return { target, others: await loadSources(journal, plan.reads(target.state), asOf) };
  }
  const [target, others] = await Promise.all([
    journal.load(plan.writes, asOf),
    loadSources(journal, plan.reads ?? {}, asOf),
  ]);
  return { target, others };
}

async function loadSources(journal: Journal, sources: Sources, asOf?: Position): Promise<LoadedStreams> {
  const named = Object.entries(sources).filter(
    (entry): entry is [string, StreamSource<unknown>] => entry[1] !== undefined,
  );
  const loaded = await Promise.all(named.map(([, source]) => journal.load(source, asOf)));
  return Object.fromEntries(named.map(([name], i) => [name, loaded[i]!]));
}

const statesOf = <R extends Sources>(others: LoadedStreams) =>
  Object.fromEntries(Object.entries(others).map(([name, { state }]) => [name, state])) as StatesOf<R>;

function findLastPosition(target: LoadedStream<unknown>, others: LoadedStreams): Position {
  return [target, ...Object.values(others)]
    .map(({ position }) => position)
    .sort()
    .at(-1)!;
}

function createRepeatedOutcome<S, R extends Sources>(
  target: LoadedStream<S>,
  reads: StatesOf<R>,
  own: Event[],
  context: EventContext,
): CommandOutcome<S, StatesOf<R>> {
  rule(isSameMessage(own[0]!, context), 'nonce_used', 'This nonce has been used by another request.', {
    retryAfter: 1,
  });
  return { state: target.state, reads, events: own, repeated: true, position: own.at(-1)!.position };
}

/** Whether the event was written for the very message that asks now; a salt that was erased proves nothing and is let pass. */
function isSameMessage({ authorization }: Event, { message }: EventContext): boolean {
  if (authorization.mode !== 'signature' || message === undefined || authorization.sealed === null) return true;
  return computeCommitment(authorization.sealed.salt, message) === authorization.commitment;
}

/** Whether the stored event is this caller's own: its twin in another process may have written the same id first. */
function isWrittenBy({ authorization: stored }: Event, { authorization: own }: EventContext): boolean {
  return stored.mode !== 'signature' || own.mode !== 'signature' || stored.commitment === own.commitment;
}

function toNewEvents(
  facts: readonly Fact[],
  target: LoadedStream<unknown>,
  others: LoadedStreams,
  context: EventContext,
): NewEvent[] {
  const basedOn: { [stream: string]: number } = { ...context.basedOn };
  for (const { stream, revision } of Object.values(others)) if (revision !== 'none') basedOn[stream] = revision;
  return newEvents(facts, target.stream, { ...context, basedOn });
}

/** Facts as events of a stream, with ids derived from the request. */
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
