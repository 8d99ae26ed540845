import { setTimeout as pause } from 'node:timers/promises';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { type Position, LOG_START, type StoredEvent } from '#libs/kernel/event.js';

const COUNTED_MAX = 1_000;
const FIRST_COUNT_MS = 500;
const COUNT_MS = 20;
const SLOW_PAUSE_MS = 10 * SECOND_MS;

/** Number of events after a checkpoint, at most 1,000, and when the first of them was written (unix ms). */
export interface Lag {
  readonly lag: number;
  readonly waiting_since: number | null;
}

/** Counts the events after one checkpoint. Remembers them, so that health reads most from memory. */
export class Backlog {
  private waiting: Pick<StoredEvent, 'position' | 'at'>[] = [];
  private from: Position | null = null;
  private upTo: Position = LOG_START;
  private counting: Promise<void> | null = null;
  private nextCountAt = -Infinity;

  constructor(
    private readonly log: Pick<EventLog, 'readNews'>,
    private readonly types?: readonly string[],
  ) {}

  async measure(checkpoint: Position, head: Position): Promise<Lag> {
    if (checkpoint >= head) return { lag: 0, waiting_since: null };
    const isFirst = this.moveTo(checkpoint);
    const isDue = isFirst || performance.now() >= this.nextCountAt;
    if (isDue && this.upTo < head && this.waiting.length < COUNTED_MAX)
      this.counting ??= this.count().finally(() => (this.counting = null));
    const timeoutMs = isFirst ? FIRST_COUNT_MS : COUNT_MS;
    if (this.counting) await Promise.race([this.counting, pause(timeoutMs, undefined, { ref: false })]);
    return { lag: this.waiting.length, waiting_since: this.waiting[0]?.at ?? null };
  }

  /** Returns true for the first checkpoint and for one that moved back: nothing is counted yet. */
  private moveTo(checkpoint: Position): boolean {
    const isFirst = this.from === null || checkpoint < this.from;
    this.from = checkpoint;
    this.waiting = isFirst ? [] : this.waiting.filter(({ position }) => position > checkpoint);
    if (isFirst || checkpoint > this.upTo) this.upTo = checkpoint;
    return isFirst;
  }

  private async count(): Promise<void> {
    const { upTo } = this;
    const began = performance.now();
    const page = await this.log.readNews(upTo, COUNTED_MAX, this.types).catch(() => null);
    if (performance.now() - began > COUNT_MS) this.nextCountAt = performance.now() + SLOW_PAUSE_MS;
    if (page === null || this.upTo !== upTo) return;
    this.upTo = page.next;
    for (const { position, at } of page.events)
      if (position > this.from! && this.waiting.length < COUNTED_MAX) this.waiting.push({ position, at });
  }
}
