import { createHmac } from 'node:crypto';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import { type Clock, DAY_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { parseAddress, clientAddress } from '../client-address.js';

/** Of how many addresses one process remembers what they are. */
const KNOWN_MAX = 20_000;
/** How long the addresses of the counters are hashed with one key. */
const KEY_MS = DAY_MS;
const HASH_CHARACTERS = 22;

/** Where a request comes from. */
export interface CallerAddress {
  /** The network address that is counted: it stands in the memory of the process alone. */
  readonly address: string;
  readonly isLoopback: boolean;
}

/**
 * The network addresses of requests. What is written down of one is a hash, under a key that follows from a secret and
 * the day: it is the same in every process, and from one day to the next nobody can tell that it is the same address.
 */
export class CallerAddresses {
  private readonly known = createLruCache<string, CallerAddress>(KNOWN_MAX);
  private readonly hashes = createLruCache<string, string>(KNOWN_MAX);

  constructor(
    private readonly secret: Uint8Array,
    private readonly clock: Clock,
  ) {}

  of(ip: string): CallerAddress {
    const known = this.known.get(ip);
    if (known) return known;
    const caller = { address: clientAddress(ip), isLoopback: isLoopback(ip) };
    this.known.set(ip, caller);
    return caller;
  }

  /**
   * What stands for an address in a counter. `before` is what stood for it under the key of the day before, while a
   * window of so many seconds may be running that began then.
   */
  hashesOf(address: string, seconds: number): { readonly now: string; readonly before?: string } {
    const day = Math.floor(this.clock.now() / KEY_MS);
    const isNew = this.clock.now() - day * KEY_MS < seconds * SECOND_MS;
    return { now: this.hash(address, day), ...(isNew && { before: this.hash(address, day - 1) }) };
  }

  private hash(address: string, day: number): string {
    const name = `${day}/${address}`;
    const known = this.hashes.get(name);
    if (known !== undefined) return known;
    const key = createHmac('sha256', this.secret).update(String(day)).digest();
    const hash = createHmac('sha256', key).update(address).digest('base64url').slice(0, HASH_CHARACTERS);
    this.hashes.set(name, hash);
    return hash;
  }
}

const isLoopback = (ip: string) => parseAddress(ip)?.range() === 'loopback';
