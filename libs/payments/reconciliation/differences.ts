import { sha256Hex } from '#libs/kernel/ids.js';
import { findAuthorizedTransfer, type MinedTransaction } from './chain-facts.js';
import type { SettledPayment } from './logged-payments.js';
import { formatUnits } from './sums.js';

const ID_CHARACTERS = 12;

type DifferenceKind =
  | 'no_transfer'
  | 'other_amount'
  | 'other_block'
  | 'other_payee'
  | 'no_event'
  | 'unnamed_transactions'
  | 'spending'
  | 'escrow_balance'
  | 'store_balance';

/** A contradiction between log and chain. `id` stays the same until it is resolved. */
export type Difference = {
  readonly id: string;
  readonly kind: DifferenceKind;
  readonly rail: string;
  /** Wallet or relayer account that it is about. */
  readonly account: string;
  readonly payment: string | null;
  readonly tx: string | null;
  readonly sentence: string;
};

export function makeDifference(difference: Omit<Difference, 'id'>): Difference {
  const { kind, rail, account, payment, tx, sentence } = difference;
  const subject = tx ?? sentence;
  const id = sha256Hex([kind, rail, account, payment, subject].join('|')).slice(0, ID_CHARACTERS);
  return { id, ...difference };
}

interface PaymentFacts {
  readonly transaction: MinedTransaction | null;
  /** Wallets that may get the payment, in lower case; null if the log does not show them. */
  readonly payees: ReadonlySet<string> | null;
}

/** Compares a payment that the log calls settled with its transaction. */
export function comparePayment(
  { id, state }: SettledPayment,
  { transaction, payees }: PaymentFacts,
): Difference | null {
  const { tx, block, accepted } = state;
  const { payer, nonce, amount, rail } = accepted.data;
  const differ = (kind: DifferenceKind, problem: string) =>
    makeDifference({ kind, rail, account: payer, payment: id, tx, sentence: `The payment ${id}: ${problem}` });
  const transfer = transaction?.hasSucceeded ? findAuthorizedTransfer(transaction, payer, nonce) : null;
  if (!transaction || !transfer) return differ('no_transfer', `its transaction ${tx} has no transfer of it.`);
  const [logged, moved] = [formatUnits(amount), formatUnits(transfer.amount)];
  if (logged !== moved)
    return differ('other_amount', `the log says ${logged} USD, and the chain ${moved} USD (${tx}).`);
  if (transaction.block !== block)
    return differ('other_block', `the log says block ${block}, and the chain block ${transaction.block} (${tx}).`);
  if (payees && !payees.has(transfer.to))
    return differ('other_payee', `it went to ${transfer.to}, which the log names as no wallet for fees (${tx}).`);
  return null;
}
