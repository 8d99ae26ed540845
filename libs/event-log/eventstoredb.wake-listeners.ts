import type { Client, SubscriptionItem, Subscription } from './eventstoredb.client.js';
import { isTooSlow } from './eventstoredb.errors.js';
import type { LogHead } from './eventstoredb.head.js';
import type { LogTail } from './eventstoredb.tail.js';

/** What is waited before a lost subscription is tried again; twice as much with every further failure in a row. */
const RETRY_MS = 100;
const RETRY_MAX_MS = 5_000;
/** Everything but the server's own events. */
const OWN_TYPES_REGEX = '^[^$]';
const WINDOW_RECORDS = 4_096;

/**
 * Who wants to know of new events. One live subscription while somebody listens, from the log's head as it is then;
 * what it hands out is the tail of the log. The server drops it whenever it could not take an event at once: it is then
 * taken up again behind the last event, at once. Whenever it stands anew, and while it cannot be had, everybody is
 * woken too: there may be events that nobody was told of.
 */
export class WakeListeners {
  private readonly listeners = new Set<() => void>();
  private running: SubscriptionLoop | undefined;
  /** The last that it has handed out, or where it began; null in an empty log. */
  private last: bigint | null = null;
  private isWaking = false;
  private closed = false;

  /** `confirmTimeoutMs`: how long a subscription may take to stand. */
  constructor(
    private readonly client: Client,
    private readonly head: LogHead,
    private readonly tail: LogTail,
    private readonly confirmTimeoutMs: number,
  ) {}

  /** The same function may listen more than once. */
  add(listener: () => void): () => void {
    const own = () => listener();
    this.listeners.add(own);
    if (this.running) this.wake();
    else if (!this.closed) this.start();
    return () => {
      this.listeners.delete(own);
      if (this.listeners.size === 0) this.rest();
    };
  }

  close(): void {
    this.closed = true;
    this.listeners.clear();
    this.rest();
  }

  private start(): void {
    const running = new SubscriptionLoop();
    this.running = running;
    void this.run(running);
  }

  private rest(): void {
    this.running?.end();
    this.running = undefined;
    this.tail.end();
  }

  /** Calls everybody once for whatever comes in one turn. */
  private wake(): void {
    if (this.isWaking) return;
    this.isWaking = true;
    setImmediate(() => {
      this.isWaking = false;
      for (const listener of this.listeners) listener();
    });
  }

  private async run(running: SubscriptionLoop): Promise<void> {
    await this.begin(running);
    for (let failures = 0; !running.ended;) {
      failures = (await this.listen(running)) === 'refused' ? failures + 1 : 0;
      this.wake();
      if (failures > 0) await running.pause(backOffMs(failures));
    }
  }

  /** Looks where the log ends, until that is known. */
  private async begin(running: SubscriptionLoop): Promise<void> {
    for (let failures = 1; !running.ended; failures += 1) {
      try {
        const commit = await this.head.now();
        if (running.ended) return;
        this.last = commit;
        return this.tail.begin(commit);
      } catch {
        // The log is away: nothing is to be done about it but to look again.
        this.wake();
        await running.pause(backOffMs(failures));
      }
    }
  }

  /** Listens until the subscription ends: dropped as too slow, lost after it stood, or never had. */
  private async listen(running: SubscriptionLoop): Promise<'dropped' | 'lost' | 'refused'> {
    let ending: 'lost' | 'refused' = 'refused';
    const call = this.client.subscribe(this.last ?? 'start', OWN_TYPES_REGEX, WINDOW_RECORDS, null);
    const late = setTimeout(() => call.stop(), this.confirmTimeoutMs);
    running.hold(call);
    try {
      for await (const item of call.items) {
        clearTimeout(late);
        ending = 'lost';
        if (!running.ended) this.take(item);
      }
    } catch (error) {
      // Nothing is wrong with a drop, and nothing is to be done about the rest but to try again.
      if (isTooSlow(error)) return 'dropped';
    } finally {
      clearTimeout(late);
    }
    if (!running.ended) this.tail.markLost();
    return ending;
  }

  private take(item: SubscriptionItem): void {
    if (item === 'confirmed') this.tail.markLive();
    else if (typeof item === 'object' && 'event' in item) {
      this.last = item.event.commit;
      this.tail.take(item.event);
    }
    this.wake();
  }
}

const backOffMs = (failures: number) => Math.min(RETRY_MS * 2 ** (failures - 1), RETRY_MAX_MS);

/** One run of the loop, from somebody beginning to listen until nobody does. */
class SubscriptionLoop {
  ended = false;
  private call: Subscription | undefined;
  private resume: () => void = () => undefined;

  hold(call: Subscription): void {
    this.call = call;
    if (this.ended) call.stop();
  }

  async pause(timeoutMs: number): Promise<void> {
    if (this.ended) return;
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, timeoutMs).unref();
      this.resume = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  end(): void {
    this.ended = true;
    this.call?.stop();
    this.resume();
  }
}
