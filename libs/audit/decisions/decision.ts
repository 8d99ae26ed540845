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

/** One way in which events of a type come about. */
export interface Decision {
  /** What decides: the verb of a command, or what the service does by itself. */
  readonly name: string;
  /** Whether the event says that it came about in this way. */
  is(event: Event): boolean;
  /** Decides again, with the function that the command ran. Throws a `Refusal` as it did, or `Undecided`. */
  decide(asked: Asked): readonly Fact[];
}

/** How an event is judged: by deciding again, or by a rule of its own, which the sentence describes. */
export type Judged = { readonly by: readonly Decision[] } | { readonly rule: string };

/** How the events of each type are judged. */
export type DecisionTable = ReadonlyMap<string, Judged>;

/** What the decision was made on is not there to be looked at. */
export class Undecided extends Error {}

export const SIGNED_MODES: ReadonlySet<string> = new Set(['signature', 'bearer']);
