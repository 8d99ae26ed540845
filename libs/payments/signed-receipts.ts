import type { JsonObject } from '#libs/kernel/json.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { eventDigest } from '#libs/platform/signing/event-digest.js';
import type { DigestedEvent } from '#libs/platform/signing/event-text.js';
import type { AppliedPayment } from './payment-answers.js';
import type { Rail } from './chain.port.js';
import type { PaymentStream } from './ledger.js';

/** The x402 extension of signed offers and receipts. */
export const OFFER_RECEIPT = 'offer-receipt';
export const PAYLOAD_VERSION = 1;

export interface JwsSigner {
  /** `at`: the time of the document, unix ms. */
  signJws(payload: JsonObject, at?: number): Promise<string>;
}

export type Jws = { readonly format: 'jws'; readonly signature: string };

export async function signPayload(signer: JwsSigner, payload: JsonObject, at?: number): Promise<Jws> {
  return { format: 'jws', signature: await signer.signJws(payload, at) };
}

interface ReceiptContext {
  readonly signer: JwsSigner;
  readonly baseUrl: string;
  readonly rail: Rail;
}

/**
 * Signs the receipt of a payment (x402 extension `offer-receipt`) from its events alone, so that each repeated answer has
 * the same one. `eventDigest` is that of the `PaymentSettled` that names the transaction.
 */
export async function signReceipt(
  { events }: PaymentStream,
  { accepted, tx, outcome, reason }: AppliedPayment,
  { signer, baseUrl, rail }: ReceiptContext,
): Promise<JsonObject> {
  const settled = events.find(({ type, data }) => type === 'PaymentSettled' && (data as { tx?: string }).tx === tx)!;
  const { payment, payer, endpoint } = accepted.data;
  const receipt = {
    version: PAYLOAD_VERSION,
    network: rail.network,
    resourceUrl: `${baseUrl}/api/${endpoint}`,
    payer,
    issuedAt: Math.floor(settled.at / SECOND_MS),
    transaction: tx,
    payment,
    eventDigest: eventDigest(settled as DigestedEvent),
    ...(outcome === 'void' && { void: reason }),
  };
  return { [OFFER_RECEIPT]: { info: { receipt: await signPayload(signer, receipt, settled.at) } } };
}
