import { DAY_MS } from '#libs/kernel/clock.js';
import { PersistentMap } from '#libs/kernel/persistent-map.js';
import { defineEvent, type EventOf, defineStream } from './define.js';
import * as f from './event-fields.js';

/** Written before the first transaction of a payment by a token with a daily sum. `at` is that of its acceptance. */
export const SpendingCounted = defineEvent('SpendingCounted', 'A payment counts towards the daily sum of a token.', {
  muse_id: f.clear(f.museId),
  account: f.clear(f.text, 'The first 16 digits of the SHA-256 of the first token of the account'),
  payment: f.clear(f.text, 'Id of the payment'),
  amount: f.clear(f.amount),
  limit: f.clear(f.amount, 'Most that the token may spend in 24 hours, smallest units'),
});

export interface CountedPayment {
  readonly amount: bigint;
  /** Unix ms. */
  readonly at: number;
}

/** Payments of a token by their ids. */
export type Spending = PersistentMap<string, CountedPayment>;

export const Spending = defineStream('spending', {
  key: (museId: string, account: string) => `${museId}:${account}`,
  events: [SpendingCounted],
  initial: PersistentMap.empty<string, CountedPayment>(),
  evolve: (spending: Spending, { at, data: { payment, amount } }: EventOf<typeof SpendingCounted>): Spending =>
    spending.with(payment, { amount: BigInt(amount), at }),
});

export interface SpentPayment extends CountedPayment {
  readonly payment: string;
}

/** Payments of the 24 hours before `now` (unix ms). */
export const spentSince = (spending: Spending, now: number): SpentPayment[] =>
  [...spending].flatMap(([payment, counted]) => (counted.at > now - DAY_MS ? [{ payment, ...counted }] : []));

export const sumOf = (spent: readonly CountedPayment[]): bigint => spent.reduce((sum, { amount }) => sum + amount, 0n);

/** Time (unix ms) at which enough of these payments are older than 24 hours. */
export function coveredAt(spent: readonly CountedPayment[], amount: bigint, limit: bigint, now: number): number {
  const inOrder = [...spent].sort((one, other) => one.at - other.at);
  const needed = inOrder.findIndex((_counted, n) => sumOf(inOrder.slice(n + 1)) + amount <= limit);
  return (inOrder[needed]?.at ?? now) + DAY_MS;
}
