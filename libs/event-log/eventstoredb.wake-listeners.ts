import { setTimeout as pause } from 'node:timers/promises';
import type { Client, SubscriptionItem } from './eventstoredb.client.js';
import { isTooSlow } from './eventstoredb.errors.js';
import { METADATA_REGEX } from './eventstoredb.metadata.js';
import type { LogHead } from './eventstoredb.head.js';
import type { LogTail } from './eventstoredb.tail.js';

const RETRY_MS = 100;
const RETRY_MAX_MS = 5_000;
/** Events of applications, and metadata of streams, which shows deletions. */
const TYPES_REGEX = `^[^$]|${METADATA_REGEX}`;
const WINDOW_RECORDS = 4_096;

/**
 * Notifies listeners of new events. One live subscription feeds the tail of the log. The server drops it if it is too
 * slow; it then resumes after the last event, and listeners are woken in case they missed one.
 */
export class WakeListeners {
  private readonly listeners = new Set<() => void>();
  private running: AbortController | undefined;
  private lastCommit: bigint | null = null;
  private isWaking = false;
  private isClosed = false;

  constructor(
    private readonly client: Client,
    private readonly head: LogHead,
    private readonly tail: LogTail,
    private readonly confirmTimeoutMs: number,
    private readonly onLost: () => void,
  ) {}

  add(listener: () => void): () => void {
    const subscription = () => listener();
    this.listeners.add(subscription);
    if (this.running) this.wake();
    else if (!this.isClosed) this.start();
    return () => {
      this.listeners.delete(subscription);
      if (this.listeners.size === 0) this.stop();
    };
  }

  close(): void {
    this.isClosed = true;
    this.listeners.clear();
    this.stop();
  }

  private start(): void {
    this.running = new AbortController();
    void this.run(this.running.signal);
  }

  private stop(): void {
    this.running?.abort();
    this.running = undefined;
    this.tail.end();
  }

  private wake(): void {
    if (this.isWaking) return;
    this.isWaking = true;
    setImmediate(() => {
      this.isWaking = false;
      for (const listener of this.listeners) listener();
    });
  }

  private async run(stopping: AbortSignal): Promise<void> {
    await this.findStart(stopping);
    for (let failures = 0; !stopping.aborted;) {
      failures = (await this.listen(stopping)) === 'refused' ? failures + 1 : 0;
      this.wake();
      if (failures > 0) await backOff(failures, stopping);
    }
  }

  private async findStart(stopping: AbortSignal): Promise<void> {
    for (let failures = 1; !stopping.aborted; failures += 1) {
      try {
        const commit = await this.head.now();
        if (stopping.aborted) return;
        this.lastCommit = commit;
        return this.tail.begin(commit);
      } catch {
        this.wake();
        await backOff(failures, stopping);
      }
    }
  }

  private async listen(stopping: AbortSignal): Promise<'dropped' | 'lost' | 'refused'> {
    let ending: 'lost' | 'refused' = 'refused';
    const call = this.client.subscribe(this.lastCommit ?? 'start', TYPES_REGEX, WINDOW_RECORDS, null);
    const stop = () => call.stop();
    const confirmTimer = setTimeout(stop, this.confirmTimeoutMs);
    stopping.addEventListener('abort', stop);
    try {
      for await (const item of call.items) {
        clearTimeout(confirmTimer);
        ending = 'lost';
        if (!stopping.aborted) this.take(item);
      }
    } catch (error) {
      if (isTooSlow(error)) return 'dropped';
    } finally {
      clearTimeout(confirmTimer);
      stopping.removeEventListener('abort', stop);
    }
    if (stopping.aborted) return ending;
    this.tail.markLost();
    this.onLost();
    return ending;
  }

  private take(item: SubscriptionItem): void {
    if (item === 'confirmed') this.tail.markLive();
    else if (typeof item === 'object' && 'event' in item) {
      this.lastCommit = item.event.commit;
      this.tail.take(item.event);
    }
    this.wake();
  }
}

async function backOff(failures: number, stopping: AbortSignal): Promise<void> {
  const ms = Math.min(RETRY_MS * 2 ** (failures - 1), RETRY_MAX_MS);
  await pause(ms, undefined, { ref: false, signal: stopping }).catch(() => undefined);
}
