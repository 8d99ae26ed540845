import { Injectable } from '@nestjs/common';
import { EventLog } from '#libs/event-log/event-log.port.js';
import { WakeSignal } from '#libs/event-log/wake-signal.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { type Position, LOG_START, type StoredEvent } from '#libs/kernel/event.js';

export const NEWEST_MAX = 500;
/** Maximum sleep: a wake-up of the log may get lost. */
const IDLE_MS_MAX = 15 * SECOND_MS;

interface NewEvents {
  readonly events: readonly StoredEvent[];
  readonly next: Position;
  /** Position of the newest event. */
  readonly head: Position;
}

/** Reads the log once for all waiting requests of the process. Stops and keeps nothing while none waits. */
@Injectable()
export class NewestEvents {
  private readonly listeners = new Set<() => void>();
  private reading: LogTail | null = null;

  constructor(private readonly log: EventLog) {}

  /** Calls the listener on new events or a failed read. Returns a function that removes it. */
  wake(listener: () => void): () => void {
    const registration = () => listener();
    this.listeners.add(registration);
    if (!this.reading || this.reading.failure !== undefined) this.startReading();
    return () => {
      this.listeners.delete(registration);
      if (this.listeners.size === 0) this.stopReading();
    };
  }

  /** Null if the position is older than the kept events; read the log then. Throws if the log cannot be read. */
  since(position: Position): NewEvents | null {
    const { reading } = this;
    if (reading?.failure !== undefined) throw reading.failure;
    return reading?.since(position) ?? null;
  }

  private startReading(): void {
    const reading = new LogTail(this.log, () => this.notifyListeners());
    this.reading = reading;
    void reading.run();
  }

  private stopReading(): void {
    this.reading?.end();
    this.reading = null;
  }

  private notifyListeners(): void {
    for (const listener of this.listeners) listener();
  }
}

class LogTail {
  failure: Error | undefined;
  private readonly signal: WakeSignal;
  private events: StoredEvent[] = [];
  /** Position before the kept events; null before the first read. */
  private from: Position | null = null;
  private next: Position = LOG_START;
  private head: Position = LOG_START;

  constructor(
    private readonly log: EventLog,
    private readonly notify: () => void,
  ) {
    this.signal = new WakeSignal(log);
  }

  async run(): Promise<void> {
    try {
      this.signal.arm();
      this.from = this.next = this.head = await this.log.head();
      this.notify();
      while (!this.signal.isEnded) await this.readNext();
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
      this.signal.end();
      this.notify();
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
    this.notify();
  }
}
