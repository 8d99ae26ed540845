import type { Chain } from './chain.port.js';
import { rendezvousWeight } from '#libs/platform/coordination/rendezvous.js';

const addressOf = ({ relayer }: Chain) => relayer.toLowerCase();

/** The chain of each rail, once: whatever is only read is the same through all of its accounts. */
export const firstChainOfEachRail = (chains: readonly Chain[]): Chain[] =>
  chains.filter(({ rail }, at) => chains.findIndex(other => other.rail.name === rail.name) === at);

/**
 * Through which account of a rail a payment is sent: the one that has sent a transaction for it (`sentBy`), while that
 * is configured; else the first by rendezvous hashing of addresses with the payment's id, so that an account that comes or
 * goes moves no payment between two others. Undefined where the rail has none.
 */
export function selectAccount<T>(
  all: readonly T[],
  chainOf: (each: T) => Chain,
  payment: string,
  sentBy?: string,
): T | undefined {
  if (all.length <= 1) return all[0];
  const named = all.map(each => ({ each, address: addressOf(chainOf(each)) }));
  const sender = named.find(({ address }) => address === sentBy?.toLowerCase());
  if (sender) return sender.each;
  const weighed = named.map(({ each, address }) => ({ each, weight: rendezvousWeight(address, payment) }));
  return weighed.reduce((a, b) => (b.weight > a.weight ? b : a)).each;
}
