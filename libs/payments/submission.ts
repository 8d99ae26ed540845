import { PaymentSubmitted, type SubmittedTransaction } from '#libs/domain/payment.js';
import type { SignedTransaction } from './chain.port.js';
import type { PaymentStream } from './ledger.js';

export function submittedFact(payment: string, { tx, raw, relayer, relayerNonce, fee }: SignedTransaction) {
  return PaymentSubmitted({ payment, tx, raw, relayer, relayer_nonce: relayerNonce, fee });
}

export function latestSubmission({ state, stream }: PaymentStream): SubmittedTransaction {
  const newest = state.status === 'unknown' ? undefined : state.submitted.at(-1);
  if (!newest) throw new Error(`${stream} has no submitted transaction.`);
  return newest;
}

/** Throws if the key that seals the transaction was destroyed. */
export function rawTransaction({ raw, tx }: SubmittedTransaction): string {
  if (raw === null) throw new Error(`The key that seals transaction ${tx} was destroyed.`);
  return raw;
}
