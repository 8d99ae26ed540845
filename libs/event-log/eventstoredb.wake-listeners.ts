import type { Client, SubscriptionItem, Subscription } from './eventstoredb.client.js';
import { isTooSlow } from './eventstoredb.errors.js';
import type { LogHead } from './eventstoredb.head.js';
import type { LogTail } from './eventstoredb.tail.js';

const RETRY_MS = 100;
const RETRY_MAX_MS = 5_000;
const OWN_TYPES_REGEX = '^[^$]';
const WINDOW_RECORDS = 4_096;

/**
 * Notifies listeners of new events. One live subscription feeds the tail of the log. The server drops it if it is too
 * slow; it then resumes after the last event, and listeners are woken in case they missed one.
 */
export class WakeListeners {
  private readonly listeners = new Set<() => void>();
  private running: SubscriptionLoop | undefined;
  private lastCommit: bigint | null = null;
  private isWaking = false;
  private isClosed = false;

  constructor(
    private readonly client: Client,
    private readonly head: LogHead,
    private readonly tail: LogTail,
    private readonly confirmTimeoutMs: number,
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
    const running = new SubscriptionLoop();
    this.running = running;
    void this.run(running);
  }

  private stop(): void {
    this.running?.end();
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

  private async run(running: SubscriptionLoop): Promise<void> {
    await this.findStart(running);
    for (let failures = 0; !running.isEnded;) {
      failures = (await this.listen(running)) === 'refused' ? failures + 1 : 0;
      this.wake();
      if (failures > 0) await running.pause(backOffMs(failures));
    }
  }

  private async findStart(running: SubscriptionLoop): Promise<void> {
    for (let failures = 1; !running.isEnded; failures += 1) {
      try {
        const commit = await this.head.now();
        if (running.isEnded) return;
        this.lastCommit = commit;
        return this.tail.begin(commit);
      } catch {
        this.wake();
        await running.pause(backOffMs(failures));
      }
    }
  }

  private async listen(running: SubscriptionLoop): Promise<'dropped' | 'lost' | 'refused'> {
    let ending: 'lost' | 'refused' = 'refused';
    const call = this.client.subscribe(this.lastCommit ?? 'start', OWN_TYPES_REGEX, WINDOW_RECORDS, null);
    const confirmTimer = setTimeout(() => call.stop(), this.confirmTimeoutMs);
    running.hold(call);
    try {
      for await (const item of call.items) {
        clearTimeout(confirmTimer);
        ending = 'lost';
        if (!running.isEnded) this.take(item);
      }
    } catch (error) {
      if (isTooSlow(error)) return 'dropped';
    } finally {
      clearTimeout(confirmTimer);
    }
    if (!running.isEnded) this.tail.markLost();
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

const backOffMs = (failures: number) => Math.min(RETRY_MS * 2 ** (failures - 1), RETRY_MAX_MS);

class SubscriptionLoop {
  isEnded = false;
  private call: Subscription | undefined;
  private resume: () => void = () => undefined;

  hold(call: Subscription): void {
    this.call = call;
    if (this.isEnded) call.stop();
  }

  async pause(timeoutMs: number): Promise<void> {
    if (this.isEnded) return;
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, timeoutMs).unref();
      this.resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  end(): void {
    this.isEnded = true;
    this.call?.stop();
    this.resume();
  }
}
