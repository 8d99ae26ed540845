import { type Clock, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { NewEvent, Position, StoredEvent } from '#libs/kernel/event.js';
import type { EventTypeRegistry } from '#libs/kernel/event-type.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import type { EventLog } from './event-log.port.js';
import type { Journal } from './journal.js';

/** Half of what an auditor allows: another process may write between the check and the append. */
const TOLERANCE_MS = MINUTE_MS;
const NEWEST_EVENTS = 1_000;

/** The time of the event is that of its decision, which is too long ago. */
export class TookTooLong extends Unavailable {
  override readonly code = 'took_too_long';

  constructor() {
    super('The request', undefined, 'took more than 60 s, so nothing was written');
  }
}

export class ClockBehind extends Unavailable {
  override readonly code = 'clock_behind';

  constructor(behindMs: number) {
    super('The clock of the service', undefined, `is ${Math.ceil(behindMs / SECOND_MS)} s behind its event log`);
  }
}

export interface ClockMoves {
  /** Type of the event after which the order of times starts again. */
  readonly type: string;
  /** At most one in this time. */
  readonly intervalMs: number;
  record(journal: Journal, move: { readonly from: number; readonly to: number }): Promise<void>;
}

/** Whether auditors compare the time of the event with those before it. */
export const hasOrderedTime = (type: string, types: EventTypeRegistry): boolean => {
  const declared = types.get(type);
  return !declared?.privateType && !declared?.isDelayed;
};

/** Keeps the times of the log in order, or names in the log that a clock was behind. */
export class AppendTimes {
  /** Only events after this position count; null before the first append. */
  private since: Position | null = null;
  /** Unix ms. */
  private latest = -Infinity;
  private movedAt = -Infinity;
  private starting: Promise<void> | null = null;
  private moving: Promise<void> | null = null;

  constructor(
    private readonly log: EventLog,
    private readonly types: EventTypeRegistry,
    private readonly clock: Clock,
    private readonly moves: ClockMoves,
  ) {}

  /** Throws `TookTooLong` and `ClockBehind`. */
  async admit(events: readonly NewEvent[], journal: Journal): Promise<void> {
    const ordered = events.filter(({ type }) => hasOrderedTime(type, this.types) && type !== this.moves.type);
    if (ordered.length === 0) return;
    if (ordered.some(({ at }) => at < this.clock.now() - TOLERANCE_MS)) throw new TookTooLong();
    await (this.starting ??= this.readNewest());
    const delivered = this.log.lastDelivered?.();
    if (delivered) this.note([delivered]);
    if (this.behindMs > TOLERANCE_MS) await (this.moving ??= this.move(journal).finally(() => (this.moving = null)));
  }

  note(events: readonly StoredEvent[]): void {
    if (this.since === null) return;
    for (const { type, at, position } of events) {
      if (position <= this.since || !hasOrderedTime(type, this.types)) continue;
      if (type === this.moves.type) [this.since, this.latest] = [position, at];
      else this.latest = Math.max(this.latest, at);
    }
  }

  private get behindMs(): number {
    return this.latest - this.clock.now();
  }

  private async readNewest(): Promise<void> {
    try {
      const since = await this.log.stepBack(await this.log.head(), NEWEST_EVENTS);
      const { events } = await this.log.readAll(since, NEWEST_EVENTS);
      this.since = since;
      this.note(events);
    } catch (error) {
      this.starting = null;
      throw error;
    }
  }

  private async move(journal: Journal): Promise<void> {
    if (performance.now() - this.movedAt < this.moves.intervalMs) throw new ClockBehind(this.behindMs);
    await this.moves.record(journal, { from: this.latest, to: this.clock.now() });
    this.movedAt = performance.now();
  }
}
