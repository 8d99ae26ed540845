import { createHmac } from 'node:crypto';
import ipaddr from 'ipaddr.js';
import { type Clock, DAY_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { createLruCache } from '#libs/kernel/lru-cache.js';

const CACHED_ADDRESSES_MAX = 20_000;
/** Network part of an IPv6 address. A machine chooses the other bits freely (RFC 7934). */
const NETWORK_BITS = 64;
const KEY_MS = DAY_MS;
const HASH_CHARACTERS = 22;

interface CallerAddress {
  readonly address: string;
  readonly isLoopback: boolean;
}

/**
 * Addresses of callers. Stored counters use a hash under a key of the day, which is equal in all processes and cannot
 * be linked across days.
 */
export class CallerAddresses {
  private readonly callers = createLruCache<string, CallerAddress>(CACHED_ADDRESSES_MAX);
  private readonly hashes = createLruCache<string, string>(CACHED_ADDRESSES_MAX);

  constructor(
    private readonly secret: Uint8Array,
    private readonly clock: Clock,
  ) {}

  of(ip: string): CallerAddress {
    const cached = this.callers.get(ip);
    if (cached) return cached;
    const caller = { address: clientAddress(ip), isLoopback: isLoopback(ip) };
    this.callers.set(ip, caller);
    return caller;
  }

  /**
   * Returns the counter name of an address. `before` is its name of the previous day, present while a window of
   * `seconds` may still run under it.
   */
  hashesOf(address: string, seconds: number): { readonly now: string; readonly before?: string } {
    const day = Math.floor(this.clock.now() / KEY_MS);
    const isNew = this.clock.now() - day * KEY_MS < seconds * SECOND_MS;
    return { now: this.hash(address, day), ...(isNew && { before: this.hash(address, day - 1) }) };
  }

  private hash(address: string, day: number): string {
    const name = `${day}/${address}`;
    const cached = this.hashes.get(name);
    if (cached !== undefined) return cached;
    const key = createHmac('sha256', this.secret).update(String(day)).digest();
    const hash = createHmac('sha256', key).update(address).digest('base64url').slice(0, HASH_CHARACTERS);
    this.hashes.set(name, hash);
    return hash;
  }
}

const isLoopback = (ip: string) => parseAddress(ip)?.range() === 'loopback';
/** Prefix lengths that an IPv6 customer may get (RFC 6177). */
const WIDER_BITS = [56, 48] as const;
const UNNAMED = 'unnamed';
const WITH_PORT = /^\[([^\]]*)\](?::\d{1,5})?$|^(\d+\.\d+\.\d+\.\d+):\d{1,5}$/;

function parseAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const [, bracketed, withPort] = WITH_PORT.exec(text) ?? [];
  const ip = bracketed ?? withPort ?? text;
  return ipaddr.isValid(ip) ? ipaddr.process(ip) : null;
}

export function clientAddress(ip: string): string {
  const address = parseAddress(ip);
  if (!address) return UNNAMED;
  return isIpv6(address) ? prefixOf(address, NETWORK_BITS) : address.toString();
}

export function widerNetworks(ip: string): string[] {
  const address = parseAddress(ip);
  return address && isIpv6(address) ? WIDER_BITS.map(bits => prefixOf(address, bits)) : [];
}

const isIpv6 = (address: ipaddr.IPv4 | ipaddr.IPv6): address is ipaddr.IPv6 => address.kind() === 'ipv6';

const prefixOf = (address: ipaddr.IPv6, bits: number) =>
  `${ipaddr.IPv6.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;
