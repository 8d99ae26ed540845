import { MINUTE_MS } from '#libs/kernel/clock.js';

/** Times of the events of a log, unix ms. */
export class LoggedTimes {
  latest = 0;
  private readonly minutes = new Set<number>();

  record(at: number): void {
    this.latest = Math.max(this.latest, at);
    this.minutes.add(Math.floor(at / MINUTE_MS));
  }

  /** Counts minutes with an event, because the service may not have run in the others. */
  countMinutesAfter(at: number): number {
    const minute = Math.floor(at / MINUTE_MS);
    return [...this.minutes].filter(each => each > minute).length;
  }
}
