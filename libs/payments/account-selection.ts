import type { Chain } from './chain.port.js';
import { rendezvousWeight } from '#libs/platform/coordination/rendezvous.js';

const addressOf = ({ relayer }: Chain) => relayer.toLowerCase();

/** Reads return the same through every account of a rail. */
export const firstChainOfEachRail = (chains: readonly Chain[]): Chain[] =>
  chains.filter(({ rail }, at) => chains.findIndex(other => other.rail.name === rail.name) === at);

/**
 * Selects the account that sends a payment: the configured one that sent its last transaction (`sentBy`), or else
 * the winner of rendezvous hashing, so that a changed set of accounts moves few payments.
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
