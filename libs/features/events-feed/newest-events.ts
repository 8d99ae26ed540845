import { Injectable } from '@nestjs/common';
import { EventLog } from '#libs/event-log/event-log.port.js';
import { WakeSignal } from '#libs/event-log/wake-signal.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { type Position, LOG_START, type StoredEvent } from '#libs/kernel/event.js';

/** How many events are kept, and how many are read at once. */
export const NEWEST_MAX = 500;
/** How long it sleeps at most: whoever tells of appends may have been silent for a moment. */
const IDLE_MS_MAX = 15 * SECOND_MS;

/** What stands behind a position, as far as the log was read. */
export interface NewEvents {
  /** In log order. */
  readonly events: readonly StoredEvent[];
  readonly next: Position;
  /** Where the newest event stands. */
  readonly head: Position;
}

/**
 * The newest events of the log, read once for everybody in the process who waits for some. The log is read while
 * somebody does, and nothing is kept while nobody does.
 */
@Injectable()
export class NewestEvents {
  private readonly listeners = new Set<() => void>();
  private reading: LogTail | null = null;

  constructor(private readonly log: EventLog) {}

  /** Calls the listener when there is more to see, or when seeing more has failed; answers what ends that. */
  wake(listener: () => void): () => void {
    const own = () => listener();
    this.listeners.add(own);
    if (!this.reading || this.reading.failure !== undefined) this.start();
    return () => {
      this.listeners.delete(own);
      if (this.listeners.size === 0) this.stopIfIdle();
    };
  }

  /**
   * The events behind a position, none where nothing has happened since; null where it is not known here what stands
   * there, which the log has to be asked for. Throws where the log cannot be read.
   */
  since(position: Position): NewEvents | null {
    const { reading } = this;
    if (reading?.failure !== undefined) throw reading.failure;
    return reading?.since(position) ?? null;
  }

  private start(): void {
    const reading = new LogTail(this.log, () => this.notifyListeners());
    this.reading = reading;
    void reading.run();
  }

  private stopIfIdle(): void {
    this.reading?.end();
    this.reading = null;
  }

  private notifyListeners(): void {
    for (const listener of this.listeners) listener();
  }
}

/** One run of reading, from somebody beginning to wait until nobody does or the log cannot be read. */
class LogTail {
  failure: Error | undefined;
  private readonly signal: WakeSignal;
  private events: StoredEvent[] = [];
  /** What is kept stands behind this position; null before the first look. */
  private from: Position | null = null;
  private next: Position = LOG_START;
  private head: Position = LOG_START;

  constructor(
    private readonly log: EventLog,
    private readonly tell: () => void,
  ) {
    this.signal = new WakeSignal(log);
  }

  async run(): Promise<void> {
    try {
      this.signal.arm();
      this.from = this.next = this.head = await this.log.head();
      this.tell();
      while (!this.signal.isEnded) await this.readNext();
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
      this.signal.end();
      this.tell();
    }
  }

  end(): void {
    this.signal.end();
  }

  since(position: Position): NewEvents | null {
    if (this.from === null || position < this.from) return null;
    const first = this.events.findLastIndex(event => event.position <= position) + 1;
    const next = position > this.next ? position : this.next;
    return { events: this.events.slice(first), next, head: this.head };
  }

  private async readNext(): Promise<void> {
    await this.signal.sleep(IDLE_MS_MAX);
    this.signal.arm();
    for (let isFull = true; isFull && !this.signal.isEnded;) {
      const page = await this.log.readNews(this.next, NEWEST_MAX);
      isFull = page.events.length === NEWEST_MAX;
      this.next = page.next;
      if (page.events.length > 0) this.append(page.events);
    }
  }

  private append(events: readonly StoredEvent[]): void {
    const all = [...this.events, ...events];
    const dropped = all.length - NEWEST_MAX;
    if (dropped > 0) this.from = all[dropped - 1]!.position;
    this.events = dropped > 0 ? all.slice(dropped) : all;
    this.head = events.at(-1)!.position;
    this.tell();
  }
}
