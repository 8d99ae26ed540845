import type { FieldDeclarations, FieldValues } from '#libs/validation/request-fields.js';
import type { CommandOutcome } from '#libs/event-log/execute-command.js';
import type { CommandContext, DecisionContext, StreamSource } from '#libs/kernel/decide.js';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { PaymentAcceptedEvent, Price, Purchase, SettledPaymentState } from '#libs/payments/purchase.js';
import type { AnyEventType, EventOf, FactOf } from '#libs/domain/define.js';
import type { TypeErased, ResolvedDependencies } from './endpoint-declaration.js';

/** A decision on a payment: it never refuses. `P` is the payment as it is known then. */
interface PaidDecision<P, S, E extends readonly AnyEventType[]> {
  /** The decision that its events name, with the version of its rules. */
  readonly name: string;
  readonly version: number;
  /** The fields that an older version reads; by default those of the verb. */
  readonly fields?: FieldDeclarations;
  /** By default derived from the payment, so that every process writes the same. */
  readonly requestKey?: (payment: P) => string;
  /** Every type of event that it may write. */
  readonly events: E;
  readonly writes: (payment: P, context: DecisionContext) => StreamSource<S>;
  /** Pure. No events where there is nothing left to be done. */
  readonly decide: (state: S, payment: P, context: DecisionContext) => readonly FactOf<E[number]>[];
}

/** Writes the effect of a payment once the money is there. */
export type OnSettled<S, E extends readonly AnyEventType[]> = PaidDecision<SettledPaymentState, S, E>;

/** Writes before the payment is sent, where the effect is decided: nothing where there is none any longer. */
type OnAccepted<S, E extends readonly AnyEventType[]> = PaidDecision<PaymentAcceptedEvent, S, E>;

/** A decision on a payment as everything but its own file knows it. */
export type AnyPaidDecision<P> = TypeErased<PaidDecision<P, unknown, readonly AnyEventType[]>>;
export type AnyOnSettled = AnyPaidDecision<SettledPaymentState>;

type UnversionedSpec<D> = Omit<D, 'name' | 'version'> & { readonly version?: number };

/** Declares what is written before a payment is sent: `beginning('pay-begin', {...})`. */
export const onAccepted = <S, const E extends readonly AnyEventType[]>(
  name: string,
  spec: UnversionedSpec<OnAccepted<S, E>>,
): OnAccepted<S, E> => ({ version: 1, ...spec, name });

/** Declares what is written for a payment that has arrived: `deed('pay-effect', {...})`. */
export const onSettled = <S, const E extends readonly AnyEventType[]>(
  name: string,
  spec: UnversionedSpec<OnSettled<S, E>>,
): OnSettled<S, E> => ({ version: 1, ...spec, name });

/** What takes an effect back, where the payment was lost for good: a reorganisation of its chain took it. */
export interface OnReverted<S, E extends readonly AnyEventType[]> {
  /** Every type of event that it may write. */
  readonly events: E;
  readonly writes: (payment: SettledPaymentState) => StreamSource<S>;
  /** Pure. No events where there is nothing to be taken back. */
  readonly decide: (state: S, payment: SettledPaymentState) => readonly FactOf<E[number]>[];
  /** The hire that the payment is the wage of, and its receipt; null where it is none. */
  readonly wage: (state: S, payment: SettledPaymentState) => { readonly hire: number; readonly item: number } | null;
}

/** An undoing as everything but its own file knows it. */
type AnyOnReverted = TypeErased<OnReverted<unknown, readonly AnyEventType[]>>;

/** Declares what takes an effect back. */
export const onReverted = <S, const E extends readonly AnyEventType[]>(spec: OnReverted<S, E>): OnReverted<S, E> =>
  spec;

/** The result of a deed, for its answer. */
export interface SaleOutcome<S, E extends readonly AnyEventType[]> extends CommandOutcome<
  S,
  object,
  EventOf<E[number]>
> {
  readonly payment: SettledPaymentState;
}

/** What followed at once; `position` is where the log stands behind it. */
export interface Followed {
  readonly position?: Position;
}

/** The receiver of a payment: the service, the worker of the hire that it names, or the muse that a field names. */
export type Payee = 'service' | 'worker' | { readonly field: string };

/** The sale of a verb: its price, and the decisions on its payment. */
export interface PaidAction<V, U, A, S, E extends readonly AnyEventType[]> {
  readonly payee: Payee;
  /** The field with the only wallet that may pay. */
  readonly payer?: string;
  /** The price where it is fixed, USD with 6 places. */
  readonly usd?: string;
  /** The fields that the price depends on: they are checked before an unsigned request is told it. */
  readonly pricedBy?: readonly string[];
  /** A request's own fields and the answer to them, for directories of paid endpoints. */
  readonly sample: { readonly request: JsonObject; readonly answer: JsonObject };
  /** What is written before the payment is sent; where that is nothing, the payment is refused as overtaken. */
  readonly begin?: AnyPaidDecision<PaymentAcceptedEvent>;
  /** What is done first, where it takes two steps. */
  readonly first?: AnyOnSettled;
  /** Older versions of what is done: what they did stays right. */
  readonly older?: readonly AnyOnSettled[];
  /** What takes it back where the payment is lost; without it, what was paid for stands. */
  readonly undo?: AnyOnReverted;
  /** The code of a payment that found nothing left to be done, in the state in which it found it. */
  readonly nothingLeft?: (fields: V, state: S) => string;
  /** Whether a request is free by what it says: then it is carried out like every verb. */
  readonly isFree?: (fields: V) => boolean;
  /** What a request would cost, for who has not signed it; null where it is free or its price private. */
  readonly price: (fields: Partial<V>, uses: U) => Promise<Price | null> | Price | null;
  /** Applies the rules and says what is bought; null where there is nothing to pay, and the verb is carried out. */
  readonly purchase: (fields: V, context: CommandContext, uses: U) => Promise<Omit<Purchase, 'wallet'> | null>;
  /** Whether what the request was decided on no longer holds: another payment for the same was through meanwhile. */
  readonly isOvertaken?: (accepted: PaymentAcceptedEvent, fields: V, uses: U) => Promise<boolean>;
  /** The member of `PaymentAccepted` that the effect needs: if the muse has erased it, the payment is void. */
  readonly requires?: 'fields' | 'subject';
  readonly deed: OnSettled<S, E>;
  /** What follows at once; a process that dies before it leaves it to a reaction. */
  readonly then?: (outcome: SaleOutcome<S, E>, uses: U) => Promise<Followed>;
  /** The answer's own members, from events alone, so that a repetition says the same. */
  readonly reply: (outcome: SaleOutcome<S, E>, fields: V, uses: U) => Promise<Partial<A>> | Partial<A>;
}

type ErasedPaidAction = TypeErased<
  PaidAction<FieldValues<FieldDeclarations>, ResolvedDependencies, object, unknown, readonly AnyEventType[]>
>;
/** A sale as everything but its own file knows it. */
export type AnyPaidAction = Omit<ErasedPaidAction, 'deed'> & { readonly deed: AnyOnSettled };
