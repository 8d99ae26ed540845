import type { MuseDocument } from './muses.js';

/** Smallest units of a token. */
interface Wage {
  readonly token: string;
  readonly amount: string;
}

/** A wage arrived. */
export function countWage(muse: MuseDocument, { token, amount }: Wage) {
  const so = muse.earned[token] ?? { count: 0, amount: '0' };
  const sum = { count: so.count + 1, amount: String(BigInt(so.amount) + BigInt(amount)) };
  return { ...muse, earned: { ...muse.earned, [token]: sum } };
}

/** It was taken back. */
export function uncountWage(muse: MuseDocument, { token, amount }: Wage) {
  const { [token]: so, ...others } = muse.earned;
  if (!so || so.count === 1) return { ...muse, earned: others };
  const rest = { count: so.count - 1, amount: String(BigInt(so.amount) - BigInt(amount)) };
  return { ...muse, earned: { ...others, [token]: rest } };
}
