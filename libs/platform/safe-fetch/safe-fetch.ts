import { systemClock, type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { parseUrl } from '#libs/kernel/url.js';
import { resolveAddresses, resolveByServers, resolveBySystem, type AddressResolver } from './address.js';
import { AllowList, allowListEntry, hostOf, EMPTY_ALLOW_LIST } from './allow-list.js';
import { checkUrl, REDIRECT_LENGTH_MAX } from './check-url.js';
import { DailyBytes } from './daily-bytes.js';
import { type AddressFault, FetchFailure, type FailureReason } from './failure.js';
import { requestHop, type HopSettings, type FetchedContent, type Redirect } from './hop.js';
import { HostQueue } from './host-queue.js';
import { readHeader, sendPinned } from './pinned-request.js';

const MIB = 1024 * 1024;
const POST_RECEIVED_BYTES_MAX = 256 * 1024;
const ALLOWABLE: ReadonlySet<FailureReason> = new Set(['not_https', 'private_address']);

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
  /** For tests: replaces the network. */
  readonly requestHop?: typeof requestHop;
  readonly ca?: string;
}

export interface FetchOptions {
  readonly account?: string;
  readonly bytesMax?: number;
  readonly keepBytesMax?: number;
  readonly accept?: string;
}

export type FetchResult =
  FetchedContent | { readonly ok: false; readonly reason: FailureReason; readonly status?: number };

interface PostMessage {
  readonly body: string;
  readonly headers: { readonly [name: string]: string };
  readonly timeoutMs: number;
}

/** Head of a response. Its body is not read and redirects are not followed. */
interface PostResponse {
  readonly ok: true;
  readonly status: number;
  readonly retryAfter: string | null;
}

export type PostResult = PostResponse | { readonly ok: false; readonly reason: FailureReason };

type ConnectionTask<T> = (addresses: readonly string[], signal: AbortSignal) => Promise<T>;

const allowHint = (url: URL) =>
  `In development, start the service with FETCH_ALLOW=${allowListEntry(url)} to allow it.`;

/** Fetches addresses from strangers, without access to private networks. One instance per process. */
export class SafeFetch {
  private readonly limits: typeof FETCH_DEFAULTS;
  private readonly allow: AllowList;
  private readonly queue: HostQueue;
  private readonly daily: DailyBytes;
  private readonly controllers = new Set<AbortController>();
  private isClosed = false;

  constructor(private readonly options: SafeFetchOptions = {}) {
    this.limits = { ...FETCH_DEFAULTS, ...options };
    this.allow = new AllowList(options.allow ?? []);
    this.queue = new HostQueue(this.limits);
    this.daily = new DailyBytes(options.clock ?? systemClock, this.limits);
  }

  /** Returns why a URL must not be fetched, or null. Does not resolve names. */
  checkUrl(url: string): AddressFault | null {
    const reason = checkUrl(url, this.allow);
    if (reason === null) return null;
    const isAllowable = this.options.isDevelopment === true && ALLOWABLE.has(reason);
    return isAllowable ? { reason, hint: allowHint(new URL(url)) } : { reason };
  }

  isAllowed(url: string): boolean {
    return this.allow.has(new URL(url));
  }

  async fetch(url: string, options: FetchOptions = {}): Promise<FetchResult> {
    return catchFetchFailure(() => this.followRedirects(url, this.settingsOf(options)));
  }

  /** Posts under the address rules of `fetch`. The caller limits concurrency. */
  async send(url: string, { body, headers, timeoutMs }: PostMessage): Promise<PostResult> {
    return catchFetchFailure(async () => {
      const target = requireFetchableUrl(url, this.allow);
      const request = { method: 'POST', headers, body, receivedBytesMax: POST_RECEIVED_BYTES_MAX, ca: this.options.ca };
      const task: ConnectionTask<PostResponse> = (addresses, signal) =>
        sendPinned(target, addresses, { ...request, signal }, response => ({
          ok: true,
          status: response.statusCode,
          retryAfter: readHeader(response, 'retry-after'),
        }));
      return (await this.runWithTimeout(target, this.allow.has(target), timeoutMs, task)).response;
    });
  }

  close(): void {
    this.isClosed = true;
    this.queue.close();
    for (const controller of this.controllers) controller.abort(new FetchFailure('closed'));
  }

  private settingsOf({ bytesMax = Infinity, keepBytesMax = 0, accept = '*/*', account }: FetchOptions): HopSettings {
    const { userAgent, bytesMax: serviceBytesMax } = this.limits;
    return {
      bytesMax: Math.min(bytesMax, serviceBytesMax),
      keepBytesMax,
      accept,
      userAgent,
      countBytes: bytes => this.daily.add(bytes, account),
      ca: this.options.ca,
    };
  }

  private async followRedirects(first: string, settings: HopSettings): Promise<FetchedContent> {
    let allow = this.allow;
    let url = requireFetchableUrl(first, allow);
    let remainingMs = this.limits.timeoutMs;
    for (let redirects = 0; redirects <= this.limits.redirectsMax; redirects++) {
      const isAllowed = allow.has(url);
      const hopTo: ConnectionTask<FetchedContent | Redirect> = (addresses, signal) =>
        (this.options.requestHop ?? requestHop)(url, addresses, signal, settings);
      const { response, tookMs } = await this.queue.run(hostOf(url), () => {
        settings.countBytes(0);
        return this.runWithTimeout(url, isAllowed, remainingMs, hopTo);
      });
      if ('ok' in response) return response;
      remainingMs -= tookMs;
      // Only a host that the operator allowed may redirect to another allowed host.
      allow = isAllowed ? this.allow : EMPTY_ALLOW_LIST;
      url = requireFetchableUrl(redirectTarget(response, url), allow, REDIRECT_LENGTH_MAX);
    }
    throw new FetchFailure('too_many_redirects');
  }

  private async runWithTimeout<T>(url: URL, allowed: boolean, remainingMs: number, task: ConnectionTask<T>) {
    if (this.isClosed) throw new FetchFailure('closed');
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new FetchFailure('timeout')), Math.max(remainingMs, 0));
    this.controllers.add(controller);
    const startedAt = performance.now();
    try {
      const response = await this.runOnConnection(url, allowed, controller.signal, task);
      return { response, tookMs: performance.now() - startedAt };
    } finally {
      clearTimeout(timer);
      this.controllers.delete(controller);
    }
  }

  private async runOnConnection<T>(
    url: URL,
    allowed: boolean,
    signal: AbortSignal,
    task: ConnectionTask<T>,
  ): Promise<T> {
    const resolve = this.options.resolve ?? (allowed ? resolveBySystem : resolveByServers);
    try {
      const addresses = await orAborted(resolveAddresses(url.hostname, allowed, resolve, signal), signal);
      return await orAborted(task(addresses, signal), signal);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw error instanceof FetchFailure ? error : new FetchFailure('unreachable', undefined, { cause: error });
    }
  }
}

async function catchFetchFailure<T>(task: () => Promise<T>) {
  try {
    return await task();
  } catch (error) {
    if (!(error instanceof FetchFailure)) throw error;
    return { ok: false as const, reason: error.reason, ...(error.status ? { status: error.status } : {}) };
  }
}

function requireFetchableUrl(text: string, allow: AllowList, lengthMax?: number): URL {
  const reason = checkUrl(text, allow, lengthMax);
  if (reason) throw new FetchFailure(reason);
  return new URL(text);
}

function redirectTarget({ location }: Redirect, from: URL): string {
  const url = parseUrl(location, from);
  if (!url) throw new FetchFailure('bad_redirect');
  return url.href;
}

async function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
