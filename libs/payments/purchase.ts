import type { PaidClaimSubject } from '#libs/claims/claim-streams.js';
import { Muse } from '#libs/domain/muse.js';
import type { PaymentAcceptedEvent, SettledPaymentState } from '#libs/domain/payment.js';
import type { CommandResult, CommandContext } from '#libs/kernel/decide.js';
import type { EscrowVersion } from '#libs/kernel/escrow-version.js';
import type { RequestFields, StreamRevisions } from '#libs/kernel/event.js';
import type { Json } from '#libs/kernel/json.js';
import type { RequestKey } from '#libs/kernel/ids.js';
import type { Rail } from './chain.port.js';
import type { PaymentPayload } from './payment-payload.js';

/** Terms of an offer of the scheme `auth-capture`. */
export interface EscrowOffer {
  readonly version: EscrowVersion;
  /** Unix seconds. From then on the payer can take the money back. */
  readonly captureDeadline: number;
  /** Account that authorizes and releases the payment. Payments choose it. */
  readonly operator?: string;
}

export interface Price {
  readonly path: string;
  readonly description: string;
  /** Smallest units, equal on every rail. */
  readonly amount: bigint;
  readonly payTo: string;
  readonly rails: readonly Rail[];
  /** The contract holds the money. Without it, the payment goes to the recipient at once. */
  readonly escrow?: EscrowOffer;
}

export interface Purchase extends Price {
  /** Claims: first the purchase itself, then a wallet, name or key that it binds. */
  readonly things: readonly PaidClaimSubject[];
  readonly owner: string;
  readonly wallet?: string;
  readonly subject: Json;
  readonly hire?: number;
  /** Streams that it read, which `PaymentAccepted` names. */
  readonly basedOn?: StreamRevisions;
}

export const requestSubject = ({ value, museId }: RequestKey): PaidClaimSubject => ({
  kind: 'request',
  value,
  ...(museId !== undefined && { scope: Muse.streamName(museId) }),
});

export interface PaidRequest {
  /** Last segment of the path: `job`, `pay`. */
  readonly endpoint: string;
  readonly fields: RequestFields;
  readonly context: CommandContext;
  readonly payload: PaymentPayload | null;
  /** Request keys of its nonce and idempotency key. The payment claims them too. */
  readonly requestKeys: readonly RequestKey[];
}

/** `basedOn`: the streams on which the effect had nothing left to do. */
export type EffectOutcome =
  | { readonly outcome: 'applied'; readonly reason?: undefined; readonly basedOn?: undefined }
  | { readonly outcome: 'void'; readonly reason: string; readonly basedOn: StreamRevisions };

/**
 * Effect of one paid endpoint. `apply` derives the ids of its events from `PaymentAccepted`, takes over the envelope of
 * the accepted request, and may run again after a crash. It never refuses: a missing object makes the outcome `void`.
 */
export interface Effect {
  readonly endpoint: string;
  /**
   * Whether the purchase is obsolete, for example because another payment was applied. Called with all claims held,
   * before anything is sent.
   */
  isOvertaken?(accepted: PaymentAcceptedEvent): Promise<boolean>;
  /**
   * Records the pending payment in the deciding stream. Called with `isOvertaken`; may run again after a crash. Returns
   * false if nothing is left to pay for.
   */
  onAccepted?(accepted: PaymentAcceptedEvent, context: CommandContext): Promise<boolean>;
  apply(payment: SettledPaymentState, context: CommandContext): Promise<EffectOutcome>;
  findWage?(payment: SettledPaymentState): Promise<{ readonly hire: number; readonly item: number } | null>;
  /** Takes back the effect of a lost payment and returns whether there was one. May run again after a crash. */
  onReverted?(payment: SettledPaymentState, context: CommandContext): Promise<boolean>;
  /** Response members of the endpoint, derived from events alone so that a retry gets the same response. */
  answer(payment: SettledPaymentState, context: CommandContext): Promise<CommandResult>;
}

export type { PaymentAcceptedEvent, SettledPaymentState };
