import { ClockMoved } from '#libs/domain/service.js';
import { hasOrderedTime } from '#libs/event-log/append-times.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { Findings } from '#libs/audit/findings.js';
import type { Check, ExaminedEvent } from './check.js';

/** Twice what the service allows: another process may write between its check and its append. */
const BEHIND_MS_MAX = 2 * MINUTE_MS;
/** Events of a process before it noticed that its clock is behind. */
const UNNOTICED_MS = MINUTE_MS;
/** A hostile log may have any number. */
const EARLY_MAX = 1_000;

interface EarlyEvent {
  readonly shown: ExaminedEvent['shown'];
  readonly latest: number;
}

/** No event is older than those before it, except where the log says that a clock was behind. */
export class TimeCheck implements Check {
  /** Unix ms. */
  private latest = -Infinity;
  private readonly times = new Map<string, number>();
  /** May still be explained by a later `ClockMoved`. */
  private early: EarlyEvent[] = [];

  constructor(private readonly findings: Findings) {}

  examine({ shown }: ExaminedEvent): void {
    const { id, at, type, cause } = shown;
    this.times.set(id, at);
    if (!hasOrderedTime(type, EVENT_TYPES)) return;
    if (type === ClockMoved.type) return this.beginAnew(at);
    if (this.times.get(cause) === at) return;
    if (at < this.latest - BEHIND_MS_MAX) this.keepEarly({ shown, latest: this.latest });
    this.latest = Math.max(this.latest, at);
  }

  finish(): void {
    for (const each of this.early) this.report(each);
    this.early = [];
  }

  private keepEarly(event: EarlyEvent): void {
    this.early.push(event);
    if (this.early.length > EARLY_MAX) this.report(this.early.shift()!);
  }

  private beginAnew(to: number): void {
    this.early = this.early.filter(({ shown }) => shown.at < to - UNNOTICED_MS || shown.at > to);
    this.finish();
    this.latest = to;
  }

  private report({ shown, latest }: EarlyEvent): void {
    const seconds = Math.round((latest - shown.at) / SECOND_MS);
    this.findings.add('time', `Its time is ${seconds} s before that of an earlier event.`, shown);
  }
}
