import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import type { AddressResolver } from './address-resolver.js';

const MIB = 1024 * 1024;

export const FETCH_DEFAULTS = {
  concurrency: 8,
  perHost: 1,
  queueMax: 256,
  queuePerHostMax: 32,
  waitMs: 30 * SECOND_MS,
  bytesMax: 10 * MIB,
  /** Includes name resolution and redirects, but not the queue. */
  timeoutMs: 10 * SECOND_MS,
  redirectsMax: 3,
  dailyBytesMax: 10 * 1024 * MIB,
  dailyBytesPerAccountMax: 512 * MIB,
  userAgent: 'agent-job-network/1.0 (+reads what its users deliver)',
};

export interface SafeFetchOptions extends Partial<typeof FETCH_DEFAULTS> {
  /** `host:port` entries that may be private or plain http (`FETCH_ALLOW`). */
  readonly allow?: readonly string[];
  readonly isDevelopment?: boolean;
  readonly clock?: Clock;
  /** For tests: replaces every resolver. */
  readonly resolve?: AddressResolver;
  readonly ca?: string;
}

export interface FetchOptions {
  readonly account?: string;
  readonly bytesMax?: number;
  readonly keepBytesMax?: number;
  readonly accept?: string;
}
