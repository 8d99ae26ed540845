import { lookup, Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isIPv6 } from 'node:net';
import { isPublicAddress, literalAddress } from './address.js';
import { FetchFailure } from './failure.js';

/** The addresses of a name, in the order in which they are to be tried. */
export type AddressResolver = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;
/** How many addresses of one name are looked at. */
const ADDRESSES_MAX = 16;

/**
 * Asks the name servers directly. The resolver of the system uses a thread of the pool for each name, so that slow name
 * servers of strangers would block everything else in the pool. `/etc/hosts` is not looked at.
 */
export const resolveByServers: AddressResolver = async (host, signal) => {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES });
  const cancel = () => resolver.cancel();
  signal.addEventListener('abort', cancel, { once: true });
  try {
    const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []));
  } finally {
    signal.removeEventListener('abort', cancel);
  }
};

/** As the machine does it, `/etc/hosts` included: for names that the operator allowed. */
export const resolveBySystem: AddressResolver = async host =>
  (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);

/**
 * The addresses to connect to: each of them public unless the host is `allowed`. One that is not refuses them all.
 * Throws a `FetchFailure`: `private_address` for a literal one, `unresolvable` for every name, whether it has no address
 * or a private one. What is found is shown to all, and must not tell the names of an inner network.
 */
export async function resolveAddresses(
  hostname: string,
  allowed: boolean,
  resolve: AddressResolver,
  signal: AbortSignal,
) {
  const literal = literalAddress(hostname);
  const addresses = literal === null ? await resolve(hostname, signal) : [literal];
  const mayBeAsked = addresses.length > 0 && (allowed || addresses.every(isPublicAddress));
  if (!mayBeAsked) throw new FetchFailure(literal === null ? 'unresolvable' : 'private_address');
  return addresses.slice(0, ADDRESSES_MAX);
}

/** A look-up for a socket that answers the addresses that were checked, and asks nobody. */
export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map(address => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, options, callback) => {
    if (options.all) callback(null, answers);
    else callback(null, answers[0]!.address, answers[0]!.family);
  };
}
