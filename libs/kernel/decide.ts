import type { Authorization, BasedOn, Event, Position } from './event.js';
import type { Integers } from './ids.js';

/** What a command brings besides its own fields: who, when, allowed how, and where derived values come from. */
export interface Context {
  /** The muse that acts, or `house`, `operator`, `service`. */
  readonly actor: string;
  /** Unix ms. */
  readonly at: number;
  /** What makes a repetition recognisable: everything the command makes is derived from it. */
  readonly requestKey: string;
  /** The id of the request or event that led to the command. */
  readonly cause: string;
  /** The decision and the version of its rules: `hire@1`. */
  readonly decidedBy: string;
  readonly authorization: Authorization;
  /**
   * The signed message, where the request key stands for one message alone: an event found under the key must have
   * been written for it.
   */
  readonly message?: Uint8Array;
  /** The actor's own stream at the revision it was authorized at. */
  readonly basedOn: BasedOn;
  readonly integers: Integers;
  /** The moment that the request was authorized at: what it reads is no older (`EventLog.moment`). */
  readonly asOf?: Position;
}

/** How a stream's state follows from its events. Pure; never throws, never checks a rule. */
export interface Entity<State> {
  readonly initial: State;
  evolve(state: State, event: Event): State;
}

/** Where a stream's state is folded from. */
export interface Source<S> {
  readonly stream: string;
  readonly entity: Entity<S>;
  /** Whether it is named by what is derived from the request alone, so that nothing stands in it but by a repetition. */
  readonly isDerived?: boolean;
}

/** A stream that the request begins: it is not read before, the append says whether something stands there. */
export const begun = <S>(source: Source<S>): Source<S> => ({ ...source, isDerived: true });
