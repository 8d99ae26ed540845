import type { PaymentPayloadV2 } from '@x402/core/schemas';
import type { Network } from '@x402/core/types';
import type { ContractCall, ExpectedUse, Rail, TransferAuthorization } from './chain.port.js';
import type { SignedMessage } from './eip3009.js';
import type { EscrowVersion } from '#libs/kernel/escrow-version.js';
import type { PaymentInfo } from './escrow-abi.js';
import type { EscrowContracts } from './escrow-contracts.js';
import type { Price } from './purchase.js';

export type AcceptedEntry = PaymentPayloadV2['accepted'];

/** Authorization of a payment with its signature, as the payer signed it. */
export type SignedPayment = TransferAuthorization & {
  readonly signature: string;
  readonly escrow?: EscrowPayment;
};

/** Terms of a payment, as an escrow contract has them. */
export interface EscrowPayment {
  readonly version: EscrowVersion;
  readonly contracts: EscrowContracts;
  readonly info: PaymentInfo;
  /** Key of the payment in the contract. */
  readonly hash: string;
  /** Nonce that commits to the terms. */
  readonly nonce: string;
}

/** Entry of an offer, by x402 version 2. */
export interface OfferEntry {
  readonly scheme: string;
  readonly network: Network;
  readonly amount: string;
  readonly asset: string;
  readonly payTo: string;
  readonly maxTimeoutSeconds: number;
  readonly extra: Rail['domain'] & { readonly [name: string]: string | number };
}

/** Scheme of x402: how a payment is offered, sent and recognised on the chain. */
export interface Scheme {
  readonly name: string;
  /** Type of the message that the payer signs (EIP-712). */
  readonly message: SignedMessage;
  offerEntry(price: Price, rail: Rail): OfferEntry;
  /** Whether a version 2 payment names the terms of the offer. */
  matches(accepted: AcceptedEntry, price: Price, rail: Rail): boolean;
  /** Transaction that settles the payment. */
  settlingCall(rail: Rail, payment: SignedPayment): ContractCall;
  expectedUse(payment: SignedPayment): ExpectedUse;
}

const OFFER_SECONDS = 300;

/** Terms that every scheme has. */
export const commonTerms = (scheme: string, { amount, payTo }: Pick<Price, 'amount' | 'payTo'>, rail: Rail) => ({
  scheme,
  network: rail.network as Network,
  amount: amount.toString(),
  asset: rail.asset,
  payTo,
  maxTimeoutSeconds: OFFER_SECONDS,
});

export const equalsIgnoringCase = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
