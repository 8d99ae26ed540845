import type { Chain, Rail } from './chain.port.js';
import { rendezvousWeight } from '#libs/platform/coordination/members.js';

const addressOf = ({ relayer }: Chain) => relayer.toLowerCase();

/** Reads return the same through every account of a rail. */
export const firstChainOfEachRail = (chains: readonly Chain[]): Chain[] =>
  chains.filter(({ rail }, index) => chains.findIndex(other => other.rail.name === rail.name) === index);

export const accountsOn = (chains: readonly Chain[], { name }: Pick<Rail, 'name'>): Chain[] =>
  chains.filter(({ rail }) => rail.name === name);

/**
 * Selects the account that sends a payment: the configured one that sent its last transaction (`sentBy`), or else
 * the winner of rendezvous hashing, so that a changed set of accounts moves few payments. Returns no account other than
 * `only`: one that is not the operator of an escrow could not authorize it.
 */
export function selectAccount<T>(
  candidates: readonly T[],
  chainOf: (each: T) => Chain,
  payment: string,
  { sentBy, only }: { readonly sentBy?: string | undefined; readonly only?: string | undefined } = {},
): T | undefined {
  const isAccount = (each: T, address: string) => addressOf(chainOf(each)) === address.toLowerCase();
  if (only !== undefined) return candidates.find(each => isAccount(each, only));
  if (candidates.length <= 1) return candidates[0];
  const accounts = candidates.map(each => ({ each, address: addressOf(chainOf(each)) }));
  const sender = accounts.find(({ address }) => address === sentBy?.toLowerCase());
  if (sender) return sender.each;
  const weighted = accounts.map(({ each, address }) => ({ each, weight: rendezvousWeight(address, payment) }));
  return weighted.reduce((a, b) => (b.weight > a.weight ? b : a)).each;
}
