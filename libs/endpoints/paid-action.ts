import type { AnyEventType, EventOf, FactOf } from '#libs/domain/define.js';
import type { CommandOutcome, Sources } from '#libs/event-log/execute-command.js';
import type { CommandContext, DecisionContext, StreamSource } from '#libs/kernel/decide.js';
import type { Event, Fact, Position, RequestFields } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { parseUsdAmount } from '#libs/kernel/money.js';
import type { PaymentAcceptedEvent, Price, Purchase, SettledPaymentState } from '#libs/payments/purchase.js';
import { type FieldDeclarations, parseFieldValues, type FieldValues } from '#libs/validation/request-fields.js';
import type { AnyCommand } from './command.js';
import { readSources, type ReplayedDecision } from './decision.js';
import type { TypeErased, ResolvedDependencies } from './endpoint-declaration.js';

/** A decision on a payment. It never refuses. `P` is the state of the payment. */
interface PaidDecision<P, S, E extends readonly AnyEventType[]> {
  readonly name: string;
  readonly version: number;
  readonly fields?: FieldDeclarations;
  /** Key of its ids, also for auditors; by default the payment and the decision. */
  readonly eventKey?: (event: Pick<Event, 'authorization'>) => string;
  readonly events: E;
  readonly writes: (payment: P, context: DecisionContext) => StreamSource<S>;
  readonly reads?: (payment: P) => Sources;
  /** Pure. Returns no events if nothing is left to do. */
  readonly decide: (
    state: S,
    payment: P,
    context: DecisionContext,
    reads?: { readonly [name: string]: unknown },
  ) => readonly FactOf<E[number]>[];
}

type OnSettled<S, E extends readonly AnyEventType[]> = PaidDecision<SettledPaymentState, S, E>;

/** Writes before the payment is sent. If it returns no events, the payment is refused as overtaken. */
type OnAccepted<S, E extends readonly AnyEventType[]> = PaidDecision<PaymentAcceptedEvent, S, E>;

export type AnyPaidDecision<P> = TypeErased<PaidDecision<P, unknown, readonly AnyEventType[]>>;
type AnyOnSettled = AnyPaidDecision<SettledPaymentState>;

type UnversionedSpec<D> = Omit<D, 'name' | 'version'> & { readonly version?: number };

export const onAccepted = <S, const E extends readonly AnyEventType[]>(
  name: string,
  spec: UnversionedSpec<OnAccepted<S, E>>,
): OnAccepted<S, E> => ({ version: 1, ...spec, name });

export const onSettled = <S, const E extends readonly AnyEventType[]>(
  name: string,
  spec: UnversionedSpec<OnSettled<S, E>>,
): OnSettled<S, E> => ({ version: 1, ...spec, name });

/** Reverts an effect after a chain reorganisation removed the payment. */
interface OnReverted<S, E extends readonly AnyEventType[]> {
  readonly events: E;
  readonly writes: (payment: SettledPaymentState) => StreamSource<S>;
  readonly decide: (state: S, payment: SettledPaymentState) => readonly FactOf<E[number]>[];
  /** Hire and receipt of a wage payment; null for other payments. */
  readonly wage: (state: S, payment: SettledPaymentState) => { readonly hire: number; readonly item: number } | null;
}

type AnyOnReverted = TypeErased<OnReverted<unknown, readonly AnyEventType[]>>;

export const onReverted = <S, const E extends readonly AnyEventType[]>(spec: OnReverted<S, E>): OnReverted<S, E> =>
  spec;

interface SaleOutcome<S, E extends readonly AnyEventType[]> extends CommandOutcome<S, object, EventOf<E[number]>> {
  readonly payment: SettledPaymentState;
}

export interface Followed {
  readonly position?: Position;
}

export interface EffectPrice {
  readonly amount: bigint;
  readonly rail: string;
}

/** Receiver of a payment: the service, the worker of the hire, the applicant in `to`, or the muse named by a field. */
type Payee = 'service' | 'worker' | 'applicant' | { readonly field: string };

export interface PaidAction<V, U, A, S, E extends readonly AnyEventType[]> {
  readonly payee: Payee;
  /** Field that names the only wallet that may pay. */
  readonly payer?: string;
  /** The price if it is fixed, USD with 6 places. */
  readonly usd?: string;
  /** For auditors, pure: the price of a request in smallest units; null if the request alone does not tell it. */
  readonly priceOfRequest?: (fields: V) => bigint | null;
  /** For auditors, pure: the price of a paid thing, from the data of the event that names the payment. */
  readonly priceOfEffect?: (data: EventOf<E[number]>['data']) => EffectPrice | null;
  /** Fields that the price depends on. They are checked before an unsigned request gets the price. */
  readonly pricedBy?: readonly string[];
  /** For directories of paid endpoints. */
  readonly sample: { readonly request: JsonObject; readonly answer: JsonObject };
  readonly begin?: AnyPaidDecision<PaymentAcceptedEvent>;
  readonly first?: AnyOnSettled;
  readonly older?: readonly AnyOnSettled[];
  /** Without it, the effect stays although the payment is lost. */
  readonly undo?: AnyOnReverted;
  /** Error code of a payment whose effect wrote no event, one of `voidReasons`; `overtaken` by default. */
  readonly voidReason?: (fields: V, state: S) => string;
  readonly voidReasons?: readonly string[];
  /** Whether the fields make the request free; it then runs like any command. Undefined if the state decides it. */
  readonly isFree?: (fields: V) => boolean | undefined;
  /** Price for an unsigned request; null if it is free or private. */
  readonly price: (fields: Partial<V>, uses: U) => Promise<Price | null> | Price | null;
  /** Applies the rules and describes the purchase; null if there is nothing to pay. */
  readonly purchase: (
    fields: V,
    context: CommandContext,
    uses: U,
  ) => Promise<Omit<Purchase, 'wallet' | 'basedOn'> | null>;
  /** For auditors, pure: members of the subject of a purchase that its request tells. Without it the subject is `{}`. */
  readonly subjectOf?: (fields: V, actor: string) => JsonObject;
  /** For auditors, pure: settings of the purchase, as its subject tells them. Then the whole subject is compared. */
  readonly usesFrom?: (subject: JsonObject) => Partial<U>;
  /** Whether the purchase has become pointless since the decision: another payment settled, or its object is gone. */
  readonly isOvertaken?: (accepted: PaymentAcceptedEvent, fields: V, uses: U) => Promise<boolean>;
  /** The member of `PaymentAccepted` that the effect needs: if the muse has erased it, the payment is void. */
  readonly requires?: 'fields' | 'subject';
  readonly effect: OnSettled<S, E>;
  /** Runs right after the append. If the process dies first, a reaction does the same. */
  readonly then?: (outcome: SaleOutcome<S, E>, uses: U) => Promise<Followed>;
  /** Uses only events, so that a repetition gets the same response. */
  readonly reply: (outcome: SaleOutcome<S, E>, fields: V, uses: U) => Promise<Partial<A>> | Partial<A>;
}

type ErasedPaidAction = TypeErased<
  PaidAction<FieldValues<FieldDeclarations>, ResolvedDependencies, object, unknown, readonly AnyEventType[]>
>;
export type AnyPaidAction = Omit<ErasedPaidAction, 'effect'> & { readonly effect: AnyOnSettled };

const OVERTAKEN = 'overtaken';
/** The payment is void because its payer erased what the effect needs. */
export const ERASED_REASON = 'forgotten';

/** Money that another muse received cannot be paid back by the service. */
export const isRefundable = ({ payee }: Pick<AnyPaidAction, 'payee'>): boolean => typeof payee !== 'object';

export const voidReasonOf = (
  { voidReason }: AnyPaidAction,
  fields: FieldValues<FieldDeclarations>,
  state: unknown,
): string => voidReason?.(fields, state) ?? OVERTAKEN;

/** Facts that an effect would still write on the streams that `PaymentApplied` names. */
interface RemainingEffect {
  readonly sources: readonly StreamSource<unknown>[];
  readonly facts: readonly Fact[];
  /** If it writes nothing. */
  readonly reason: string;
}

/** Rules by which auditors check the payments of an endpoint. */
interface PaymentTerms {
  readonly payee: Payee;
  readonly payer: string | null;
  /** Smallest units; null if it depends on more than the request, or the request is not shown. */
  readonly priceOf: (fields: RequestFields | null) => bigint | null;
  readonly priceOfEffect: ((data: never) => EffectPrice | null) | null;
  /** How a reorganisation that removes the payment reverts the effect; null if the effect stays. */
  readonly undo: AnyOnReverted | null;
  /** Event types that name the payment they result from. */
  readonly effects: readonly string[];
  /** False if the feed shows none of `effects`. */
  readonly hasPublicEffect: boolean;
  /** Members of `subject` that the request tells; `none` if it has no members. */
  readonly subjectOf: (fields: RequestFields, actor: string) => JsonObject | 'none';
  readonly voidReasons: readonly string[];
  /** One for each version of the effect. Throws `NotReplayable` if a value that it needs is erased. */
  readonly decideAgain: (payment: SettledPaymentState, replay: ReplayedDecision) => readonly RemainingEffect[];
}

export type PaymentTermsTable = ReadonlyMap<string, PaymentTerms>;

const hasField =
  (name: string) =>
  ({ schema }: AnyEventType) =>
    Object.hasOwn(schema.properties, name);

/** Throws if an auditor could not check that the payer got the effect, or its price. */
export function derivePaymentTerms(
  endpoint: string,
  sale: AnyPaidAction,
  fields: FieldDeclarations = {},
): PaymentTerms {
  const { usd, priceOfRequest, priceOfEffect = null } = sale;
  const effects = sale.effect.events.filter(hasField('payment'));
  if (effects.length === 0) throw new Error(`${endpoint}: no event of its effect has a field "payment".`);
  const isPriced = usd !== undefined || priceOfRequest || priceOfEffect || effects.every(hasField('amount'));
  if (!isPriced)
    throw new Error(
      `${endpoint}: declare "usd", "priceOfRequest", "priceOfEffect", or an effect with a field "amount".`,
    );
  if (sale.voidReason && !sale.voidReasons) throw new Error(`${endpoint}: declare the "voidReasons".`);
  const price = usd === undefined ? null : parseUsdAmount(usd)!;
  return {
    payee: sale.payee,
    payer: sale.payer ?? null,
    priceOf: sent => (sent && priceOfRequest ? priceOfRequest(parseFieldValues(fields, sent)) : price),
    priceOfEffect,
    undo: sale.undo ?? null,
    effects: effects.map(({ type }) => type),
    hasPublicEffect: effects.some(({ privateType }) => !privateType),
    subjectOf: (sent, actor) => sale.subjectOf?.(parseFieldValues(fields, sent), actor) ?? 'none',
    voidReasons: isRefundable(sale)
      ? [...(sale.voidReasons ?? [OVERTAKEN]), ...(sale.requires ? [ERASED_REASON] : [])]
      : [],
    decideAgain: (payment, replay) =>
      [sale.effect, ...(sale.older ?? [])].map(effect => decideEffect({ sale, effect, fields }, payment, replay)),
  };
}

interface DeclaredEffect {
  readonly sale: AnyPaidAction;
  readonly effect: AnyOnSettled;
  readonly fields: FieldDeclarations;
}

function decideEffect(
  { sale, effect, fields }: DeclaredEffect,
  payment: SettledPaymentState,
  { read, context }: ReplayedDecision,
): RemainingEffect {
  const { actor, at, data } = payment.accepted;
  const requested = { ...context, actor, at };
  const target = effect.writes(payment, requested);
  const reads = effect.reads?.(payment) ?? {};
  const state = read(target);
  const facts = effect.decide(state, payment, requested, readSources(reads, { read }));
  const values = parseFieldValues(fields, data.fields ?? {});
  return { sources: [target, ...listSources(reads)], facts, reason: voidReasonOf(sale, values, state) };
}

const listSources = (reads: Sources) => Object.values(reads).filter(source => source !== undefined);

export const buildPaymentTermsTable = (commands: readonly AnyCommand[]): PaymentTermsTable =>
  new Map(
    commands.flatMap(({ endpoint, sale, fields }) =>
      sale ? [[endpoint, derivePaymentTerms(endpoint, sale, fields)]] : [],
    ),
  );
