import type { FieldDeclarations } from '#libs/validation/request-fields.js';
import type { Sources, StatesOf } from '#libs/event-log/execute-command.js';
import type { Ids } from '#libs/kernel/ids.js';
import type { DecisionContext, Entity, StreamSource } from '#libs/kernel/decide.js';
import { mapMembers } from '#libs/kernel/map-members.js';
import { FieldRefusal, Refusal } from '#libs/kernel/refusal.js';
import type { Event, Fact, RequestFields } from '#libs/kernel/event.js';
import type { EndpointCallers } from './caller-rules.js';
import {
  type Causes,
  declareFollowUps,
  type DeclaredFollowUps,
  type FollowUp,
  listCauses,
  type NamedType,
} from './follow-ups.js';

export type { NamedType } from './follow-ups.js';

/** Placeholder for text that depends on a vault key. A replay accepts any value of the event. */
export const GIVEN_HASH = 'derived by the vault';
export const GIVEN_INTEGER = -1;

/** Ids of a decision that is compared with no event. */
export const PLACEHOLDER_IDS: Ids = {
  id: () => GIVEN_INTEGER,
  item: () => GIVEN_INTEGER,
  slug: prefix => `${prefix}-?`,
  agent: () => '?',
  salted: () => ({ commitment: GIVEN_HASH, salt: GIVEN_HASH }),
};

/** Text of a hidden request: it passes the checks of a decision and equals any text of the event. */
export const ANY_TEXT = 'any text';

/** `fieldsFromEvent` of fields that no event shows. */
export function notInEvents(): never {
  throw new NotReplayable('The fields of the request are not shown.');
}

/** Input for replaying a decision: only data that the log held at that time. */
export interface ReplayedDecision {
  /** First event of the decision, or a further one of a hidden request (`decidesEach`). */
  readonly event: Event;
  readonly isFirst: boolean;
  readonly context: DecisionContext;
  /** The deciding stream before the event. */
  readonly own: <S>(entity: Entity<S>) => S;
  /** Another stream at the revision in `based_on`; empty if `based_on` does not name it. */
  readonly other: <S>(stream: string, entity: Entity<S>) => S;
  readonly read: <S>(source: StreamSource<S>) => S;
  /** Another stream in its current state, if `based_on` does not name it. */
  readonly currentState: <S>(stream: string, entity: Entity<S>) => S;
  /** States of a stream that the decision can have seen: the one well before the event, and all later ones. */
  readonly recentStates: <S>(stream: string, entity: Entity<S>) => readonly S[];
  /** All states of a stream that are in memory; null if older ones are not. */
  readonly pastStates: <S>(stream: string, entity: Entity<S>) => readonly S[] | null;
  /** Streams of hires by their poster. */
  readonly hiresOf: (poster: string) => Iterable<string>;
  /** Streams of hires by their worker. */
  readonly hiresBy: (worker: string) => Iterable<string>;
  /** Notes that the decision must have read a stream: an event that does not name it is a finding. */
  readonly expectRead: (stream: string) => void;
  /** Fields of the request; null if they are private or erased. */
  readonly fields: () => RequestFields | null;
}

interface DecisionRequest extends EndpointCallers {
  readonly fields: FieldDeclarations;
  /** Whether its signed request is stored in the clear. */
  readonly isPublic?: boolean;
}

interface DecisionIdentity {
  readonly name: string;
  readonly version: number;
  readonly writes: readonly string[];
  /** Types of the events that it may name as its cause, or forms of a text (`libs/audit/causes.ts`). */
  readonly causes: readonly string[];
  /** Declares after which events it must be made, so that auditors find a missing one. */
  readonly followUps?: DeclaredFollowUps | undefined;
  /** Key of the ids of its events, if it is not `formatDecisionKey`. */
  readonly eventKey?: (event: Event) => string;
  /** The ids count all events of the stream, not only those of one key and type. */
  readonly countsRevisions?: boolean;
  readonly request?: DecisionRequest;
  readonly by?: 'service' | 'operator';
  /** Whether an event of a hidden request that does not follow from the first one is decided alone. */
  readonly decidesEach?: boolean;
}

export interface Decision extends DecisionIdentity {
  /** Runs the original decision function. Throws its `Refusal`, `AuditMismatch` or `NotReplayable`. */
  decide(replay: ReplayedDecision): readonly Fact[];
  /** Compares values from documents, which `decide` takes from the event, with the log. */
  verify?(replay: ReplayedDecision): void;
}

/** A decision that depends on the chain, the vault or a foreign page. */
export interface UnreplayableDecision extends DecisionIdentity {
  readonly rule: string;
}

export type AuditableDecision = Decision | UnreplayableDecision;

export type DecisionTable = ReadonlyMap<string, AuditableDecision>;

export const formatDecidedBy = ({ name, version }: Pick<DecisionIdentity, 'name' | 'version'>) => `${name}@${version}`;

export function buildDecisionTable(all: readonly AuditableDecision[]): DecisionTable {
  const table = new Map(all.map(decision => [formatDecidedBy(decision), decision]));
  if (table.size < all.length) throw new Error('Two decisions have the same name and version.');
  return table;
}

export class NotReplayable extends Error {}

/** The result of `work`, or else `otherwise` if it needs what is not shown. */
export function ifReplayable<T>(otherwise: T, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof NotReplayable) return otherwise;
    throw error;
  }
}

/** Refuses because a value is erased. A decision that was made before the erasure cannot be replayed. */
export class ErasedValueRefusal extends FieldRefusal {}

/** Refuses because a value is missing, which an auditor may just not see. */
export class HiddenValueRefusal extends Refusal {}

export class AuditMismatch extends Error {}

export const assertInStream = (event: Event, stream: string): void =>
  assertAudit(event.stream === stream, `The event belongs in the stream ${stream}.`);

export function assertAudit(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new AuditMismatch(otherwise);
}

const listTypeNames = (types: readonly NamedType[]) => types.map(({ type }) => type);

/** A null value is private or erased, so the decision cannot be replayed. A missing value is a mismatch. */
export function requireVisible<T>(value: T | null | undefined): T {
  assertAudit(value !== undefined, 'The event lacks a value that its decision needs.');
  if (value === null) throw new NotReplayable('A value that the decision needs is private or erased.');
  return value;
}

interface DecisionSpec {
  readonly version?: number;
  /** Absent if it follows from another event, with the actor and authorization of that event. */
  readonly by?: 'service' | 'operator';
  /** Actor of its events: `by` by default; null if `decide` checks it. */
  readonly actor?: string | null;
  readonly writes: readonly NamedType[];
  readonly decide: (replay: ReplayedDecision) => readonly Fact[];
}

/** States of further streams; undefined ones stay undefined. */
export const readSources = <Q extends Sources>(sources: Q | undefined, { read }: Pick<ReplayedDecision, 'read'>) =>
  mapMembers(sources ?? {}, source => source && read(source)) as StatesOf<Q>;

const declareCauses = (spec: Causes<FollowUp>) => ({
  causes: listCauses(spec),
  ...(spec.follows && { followUps: declareFollowUps(spec.follows, each => each) }),
});

/** Declares a decision that no request makes. */
export function defineDecision(name: string, spec: DecisionSpec & Causes<FollowUp>): Decision {
  const { version = 1, by, actor = by ?? null, writes, decide } = spec;
  return {
    name,
    version,
    ...(by && { by }),
    writes: listTypeNames(writes),
    ...declareCauses(spec),
    decide: replay => {
      const { event } = replay;
      assertAudit(!by || event.authorization.mode === by, `Only the ${by} may write this event without a request.`);
      assertAudit(actor === null || event.actor === actor, `Its actor is ${event.actor}; only ${actor} may do this.`);
      return decide(replay);
    },
  };
}

/** Declares a decision whose input is not in the log. The fold of its stream checks it instead. */
export function unreplayableDecision(
  name: string,
  { writes, rule, ...spec }: UnreplayableSpec & Causes<FollowUp>,
): UnreplayableDecision {
  const { by, eventKey, countsRevisions } = spec;
  return {
    name,
    version: 1,
    rule,
    writes: listTypeNames(writes),
    ...declareCauses(spec),
    ...(by && { by }),
    ...(eventKey && { eventKey }),
    ...(countsRevisions && { countsRevisions }),
  };
}

interface UnreplayableSpec
  extends Pick<DecisionSpec, 'writes' | 'by'>, Pick<UnreplayableDecision, 'rule' | 'eventKey' | 'countsRevisions'> {}
