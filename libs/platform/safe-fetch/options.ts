import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import type { AddressResolver } from './address-resolver.js';

const MIB = 1024 * 1024;

export const FETCH_DEFAULTS = {
  concurrency: 8,
  perHost: 1,
  queueMax: 256,
  queuePerHostMax: 32,
  /** How long a fetch waits for its turn. */
  waitMs: 30 * SECOND_MS,
  bytesMax: 10 * MIB,
  /** From the resolving of the first name to the last byte, without the time in the queue. */
  timeoutMs: 10 * SECOND_MS,
  redirectsMax: 3,
  /** Of bodies, from midnight to midnight UTC. */
  dailyBytesMax: 10 * 1024 * MIB,
  /** Of them, those that are read on account of one. */
  dailyBytesPerAccountMax: 512 * MIB,
  userAgent: 'agent-job-network/1.0 (+reads what its users deliver)',
};

export interface SafeFetchOptions extends Partial<typeof FETCH_DEFAULTS> {
  /** `host:port` entries that may be private or plain http (`FETCH_ALLOW`). */
  readonly allow?: readonly string[];
  /** Whether refusals name the setting that allows an address. */
  readonly isDevelopment?: boolean;
  readonly clock?: Clock;
  /** Resolves every name, the allowed ones too: for tests. */
  readonly resolve?: AddressResolver;
  /** PEM of further certificate authorities. */
  readonly ca?: string;
}

export interface FetchOptions {
  /** On whose account it is read, who has a share of the day's bytes. */
  readonly account?: string;
  /** A smaller maximum than the service's own. */
  readonly bytesMax?: number;
  /** Answers the body too where it has at most so many bytes. */
  readonly keepBytesMax?: number;
  /** The `accept` header; anything by default. */
  readonly accept?: string;
}
