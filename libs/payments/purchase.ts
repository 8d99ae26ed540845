import type { PaidClaimSubject } from '#libs/claims/claim-streams.js';
import type { PaymentAcceptedEvent, Payment } from '#libs/domain/payment.js';
import type { CommandResult } from '#libs/kernel/command-result.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import type { RequestFields } from '#libs/kernel/event.js';
import type { Json } from '#libs/kernel/json.js';
import type { Rail } from './chain.port.js';
import type { PaymentPayload } from './payment-payload.js';

/** What an offer says: enough for a 402. */
export interface Price {
  /** The endpoint's path: `/api/job`. */
  readonly path: string;
  readonly description: string;
  /** Smallest units, the same on every rail. */
  readonly amount: bigint;
  readonly payTo: string;
  /** In the order in which they are offered. */
  readonly rails: readonly Rail[];
}

/** What a request wants to pay for. Made after every rule of the endpoint was found to hold. */
export interface Purchase extends Price {
  /** What must be unique: the purchase itself first, then a wallet, name or key that it binds. */
  readonly things: readonly PaidClaimSubject[];
  /** The stream whose state holds the bound things afterwards: the muse's. */
  readonly owner: string;
  /** The only wallet that may pay. */
  readonly wallet?: string;
  /** What the effect needs besides the request's fields. */
  readonly subject: Json;
  /** The hire that it is the wage of. */
  readonly hire?: number;
}

/** The members of an HTTP request that a payment needs. */
export interface PaidRequest {
  /** The last word of the path: `job`, `pay`. */
  readonly endpoint: string;
  readonly fields: RequestFields;
  readonly context: CommandContext;
  /** The payment that came with it, decoded; null where there is none. */
  readonly payload: PaymentPayload | null;
  /** Request keys of its nonce and its idempotency key: a payment for the request claims them too. */
  readonly requestKeys: readonly string[];
}

/** A payment whose money has arrived. */
export type SettledPaymentState = Extract<Payment, { status: 'settled' | 'applied' }>;

/**
 * What one paid endpoint does once the money is there. `apply` writes the effect's events with request key
 * `payment/<id>` and the authorization, actor and time of the accepted request, and may be called again after a
 * crash. It never refuses: an object that is gone is `void` with the reason's code.
 */
export interface Effect {
  readonly endpoint: string;
  /**
   * Whether the purchase is no longer right, for instance because another payment for the same was applied meanwhile.
   * Asked after every claim is taken, so that no other payment can come in between, and before anything is sent.
   */
  isOvertaken?(accepted: PaymentAcceptedEvent): Promise<boolean>;
  /**
   * Writes down, where what is paid for is decided, that it is about to be paid for. At the same moment as
   * `isOvertaken`; may be called again after a crash. False where there is nothing to be paid for any more.
   */
  onAccepted?(accepted: PaymentAcceptedEvent, context: CommandContext): Promise<boolean>;
  apply(
    payment: SettledPaymentState,
    context: CommandContext,
  ): Promise<{ readonly outcome: 'applied' } | { readonly outcome: 'void'; readonly reason: string }>;
  /** The hire that the payment is the wage of, and the receipt; null where it is none. */
  findWage?(payment: SettledPaymentState): Promise<{ readonly hire: number; readonly item: number } | null>;
  /**
   * Takes back what was paid for, because the money is gone for good; answers whether there was anything to take back.
   * May be called again after a crash.
   */
  onReverted?(payment: SettledPaymentState, context: CommandContext): Promise<boolean>;
  /**
   * The endpoint's own members of the answer. They follow from events alone, so that a repetition gets the same answer.
   */
  answer(payment: SettledPaymentState, context: CommandContext): Promise<CommandResult>;
}

export type { PaymentAcceptedEvent };
