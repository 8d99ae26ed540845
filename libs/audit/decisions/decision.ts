import type { Context, Entity } from '#libs/kernel/decide.js';
import type { Event, Fact, RequestFields } from '#libs/kernel/event.js';

/** What a decision is made on again: no more than the log held when it was made. */
export interface Asked {
  /** The first of the events that the decision has written. */
  readonly event: Event;
  /** As the command had it; what is derived with a key of the vault is `GIVEN`. */
  readonly context: Context;
  /** The deciding stream as it was before the event. */
  readonly own: <S>(entity: Entity<S>) => S;
  /** Another stream at the revision that `based_on` names; as empty where it names none. */
  readonly other: <S>(stream: string, entity: Entity<S>) => S;
  /** Another stream that `based_on` does not name, as it is by now. */
  readonly byNow: <S>(stream: string, entity: Entity<S>) => S;
  /** What was asked for. Throws `Undecided` where it is private or was erased. */
  readonly fields: () => RequestFields;
}

/** What events name as `decided_by`: `<name>@<version>`. Rules may change; what was decided under the old ones stays. */
interface Named {
  /** The verb of a command, or what the service does by itself. */
  readonly name: string;
  readonly version: number;
  /** The types of the events that it may write. */
  readonly writes: readonly string[];
}

export interface Decision extends Named {
  /** Decides again with the function that the command ran. Throws its `Refusal`, `Contradiction` or `Undecided`. */
  decide(asked: Asked): readonly Fact[];
}

/** What cannot be decided again, for it followed from the chain, the vault or a stranger's page. */
export interface Ruled extends Named {
  /** The sentence of the rule that its events are judged by. */
  readonly rule: string;
}

export type Judged = Decision | Ruled;

/** How events are judged, by what they name as `decided_by`. */
export type DecisionTable = ReadonlyMap<string, Judged>;

/** The table of some decisions. Two of one name and version are a bug. */
export function decisionTable(all: readonly Judged[]): DecisionTable {
  const table = new Map(all.map(judged => [`${judged.name}@${judged.version}`, judged]));
  if (table.size < all.length) throw new Error('Two decisions have the same name and version.');
  return table;
}

/** What the decision was made on is not there to be looked at. */
export class Undecided extends Error {}

/** The event says what its decision cannot have written. */
export class Contradiction extends Error {}

export function mustHold(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Contradiction(otherwise);
}
