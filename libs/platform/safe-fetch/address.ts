import { lookup, Resolver } from 'node:dns/promises';
import { type LookupFunction, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { FetchFailure } from './failure.js';

const DNS_TIMEOUT_MS = 2_000;
const DNS_TRIES = 2;
const ADDRESSES_MAX = 16;

/** Global unicast (RFC 4291, 2.4). */
const GLOBAL_V6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3];
const ISATAP = 0x5efe;
const ISATAP_MASK = 0xfdff;
/** Metadata services of clouds in public ranges. */
const METADATA: ReadonlySet<string> = new Set(['168.63.129.16']);

/** Whether strangers may make us connect to the address: plain public unicast, without an embedded IPv4 address. */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || METADATA.has(text)) return false;
  const address = ipaddr.parse(text);
  if (address.range() !== 'unicast') return false;
  return address instanceof ipaddr.IPv4 || (address.match(GLOBAL_V6) && !isIsatap(address));
}

/** ISATAP (RFC 5214, 6.1) embeds an IPv4 address, which may be of the local network. */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return (parts[4]! & ISATAP_MASK) === 0 && parts[5] === ISATAP;
}

export function literalAddress(hostname: string): string | null {
  const text = hostname.replace(/^\[(.*)\]$/, '$1');
  return ipaddr.isValid(text) ? text : null;
}

export type AddressResolver = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Asks name servers directly and ignores `/etc/hosts`. The system resolver would block the thread pool when the name
 * servers of strangers are slow.
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

/** Includes `/etc/hosts`. For names that the operator allowed. */
export const resolveBySystem: AddressResolver = async host =>
  (await lookup(host, { all: true }).catch(() => [])).map(({ address }) => address);

/**
 * Requires every address to be public unless the host is `allowed`. Throws `private_address` for a literal address,
 * `unresolvable` for any name, because the result is public and must not reveal names of an inner network.
 */
export async function resolveAddresses(
  hostname: string,
  allowed: boolean,
  resolve: AddressResolver,
  signal: AbortSignal,
) {
  const literal = literalAddress(hostname);
  const addresses = literal === null ? await resolve(hostname, signal) : [literal];
  const isFetchable = addresses.length > 0 && (allowed || addresses.every(isPublicAddress));
  if (!isFetchable) throw new FetchFailure(literal === null ? 'unresolvable' : 'private_address');
  return addresses.slice(0, ADDRESSES_MAX);
}

export function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map(address => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_host, options, callback) => {
    if (options.all) callback(null, answers);
    else callback(null, answers[0]!.address, answers[0]!.family);
  };
}
