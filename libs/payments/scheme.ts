import type { PaymentPayloadV2 } from '@x402/core/schemas';
import type { Network } from '@x402/core/types';
import type { ContractCall, ExpectedUse, Rail, TransferAuthorization } from './chain.port.js';
import type { Price } from './purchase.js';

export type AcceptedEntry = PaymentPayloadV2['accepted'];

/** Authorization of a payment with its signature, as the payer signed it. */
export type SignedPayment = TransferAuthorization & { readonly signature: string };

/** Entry of an offer, by x402 version 2. */
export interface OfferEntry {
  readonly scheme: string;
  readonly network: Network;
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: Rail['domain'];
}

/** Scheme of x402: how a payment is offered, sent and recognised on the chain. */
export interface Scheme {
  readonly name: string;
  offerEntry(price: Price, rail: Rail): OfferEntry;
  /** Whether a version 2 payment names the terms of the offer. */
  matches(accepted: AcceptedEntry, price: Price, rail: Rail): boolean;
  /** Transaction that settles the payment. */
  settlingCall(rail: Rail, payment: SignedPayment): ContractCall;
  expectedUse(payment: SignedPayment): ExpectedUse;
}

export const OFFER_SECONDS = 300;

export const equalsIgnoringCase = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
