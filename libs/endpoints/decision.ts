import type { FieldDeclarations } from '#libs/validation/request-fields.js';
import type { DecisionContext, Entity, StreamSource } from '#libs/kernel/decide.js';
import type { Event, Fact, RequestFields } from '#libs/kernel/event.js';

/** Stands for a text that is derived with a key of the vault, or rests on one: who decides again takes the event's. */
export const GIVEN_HASH = 'derived by the vault';
/** The same of an integer, and of one that rests on a setting. */
export const GIVEN_INTEGER = -1;

/** A decision that is made again, on no more than the log held when it was made. */
export interface ReplayedDecision {
  /** The first of the events that the decision has written. */
  readonly event: Event;
  /** Its ids are those in the event. */
  readonly context: DecisionContext;
  /** The deciding stream as it was before the event. */
  readonly own: <S>(entity: Entity<S>) => S;
  /** Another stream at the revision that `based_on` names; as empty where it names none. */
  readonly other: <S>(stream: string, entity: Entity<S>) => S;
  /** The same of a source. */
  readonly read: <S>(source: StreamSource<S>) => S;
  /** Another stream that `based_on` does not name, as it is by now. */
  readonly byNow: <S>(stream: string, entity: Entity<S>) => S;
  /** What was asked for. Throws `Undecided` where it is private or was erased. */
  readonly fields: () => RequestFields;
}

/** What events name as `decided_by`: `<name>@<version>`. Rules may change; what was decided under the old ones stays. */
interface DecisionIdentity {
  /** The verb of a command, or what the service does by itself. */
  readonly name: string;
  readonly version: number;
  /** The types of the events that it may write. */
  readonly writes: readonly string[];
  /** The endpoint of the requests that it carries out, and the fields that this version reads. */
  readonly asked?: { readonly endpoint: string; readonly fields: FieldDeclarations };
  /** Who does it without any request. */
  readonly by?: 'service' | 'operator';
}

export interface Decision extends DecisionIdentity {
  /** Decides again with the function that decided. Throws its `Refusal`, `Contradiction` or `Undecided`. */
  decide(asked: ReplayedDecision): readonly Fact[];
}

/** What cannot be decided again, for it followed from the chain, the vault or a stranger's page. */
export interface UnreplayableDecision extends DecisionIdentity {
  /** The sentence of the rule that its events are judged by. */
  readonly rule: string;
}

export type AuditableDecision = Decision | UnreplayableDecision;

/** How events are judged, by what they name as `decided_by`. */
export type DecisionTable = ReadonlyMap<string, AuditableDecision>;

/** What an event says it was decided by. */
export const formatDecidedBy = ({ name, version }: Pick<DecisionIdentity, 'name' | 'version'>) => `${name}@${version}`;

/** The table of some decisions. Two of one name and version are a bug. */
export function buildDecisionTable(all: readonly AuditableDecision[]): DecisionTable {
  const table = new Map(all.map(judged => [formatDecidedBy(judged), judged]));
  if (table.size < all.length) throw new Error('Two decisions have the same name and version.');
  return table;
}

/** What the decision was made on is not there to be looked at. */
export class NotReplayable extends Error {}

/** The event says what its decision cannot have written. */
export class AuditMismatch extends Error {}

/** The event is in the stream that its data names. */
export const assertInStream = (event: Event, stream: string): void =>
  assertAudit(event.stream === stream, `It belongs into the stream ${stream}.`);

export function assertAudit(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new AuditMismatch(otherwise);
}

type NamedType = { readonly type: string };
const listTypeNames = (types: readonly NamedType[]) => types.map(({ type }) => type);

/** A value that a decision needs; one that is not shown leaves it undecided, one that is not there does not. */
export function requireVisible<T>(value: T | null | undefined): T {
  assertAudit(value !== undefined, 'It does not say what was decided on.');
  if (value === null) throw new NotReplayable('What was decided on is not shown.');
  return value;
}

interface ServiceDecisionSpec {
  /** Of its rules; 1 where they have never changed. */
  readonly version?: number;
  /** Who does it by itself. */
  readonly by: 'service' | 'operator';
  /** The actor that its events name: `by` where it is left out, null where `decide` looks at it. */
  readonly actor?: string | null;
  readonly writes: readonly NamedType[];
  readonly decide: (asked: ReplayedDecision) => readonly Fact[];
}

/** Declares how what the service or its operator does by itself, whatever it follows from, is decided again. */
export function serviceDecision(
  name: string,
  { version = 1, by, actor = by, writes, decide }: ServiceDecisionSpec,
): Decision {
  return {
    name,
    version,
    by,
    writes: listTypeNames(writes),
    decide: asked => {
      const { event } = asked;
      assertAudit(event.authorization.mode === by, `Only the ${by} does it by itself.`);
      assertAudit(actor === null || event.actor === actor, `${event.actor} did it; only ${actor} does this.`);
      return decide(asked);
    },
  };
}

/** Declares how what follows from another event, with that one's actor and authorization, is decided again. */
export function derivedDecision(
  name: string,
  { version = 1, writes, decide }: Omit<ServiceDecisionSpec, 'by' | 'actor'>,
): Decision {
  return { name, version, writes: listTypeNames(writes), decide };
}

/** Declares what follows from the chain, the vault or another event, by a rule that stands with the state of its stream. */
export function unreplayableDecision(
  name: string,
  writes: readonly NamedType[],
  sentence: string,
  version = 1,
): UnreplayableDecision {
  return { name, version, writes: listTypeNames(writes), rule: sentence };
}
