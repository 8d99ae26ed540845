import { DAY_MS } from '#libs/kernel/clock.js';

/** A wrong time zone explains a clock that is wrong by hours, nothing one that is wrong by more than a day. */
export const OFFSET_MS_MAX = DAY_MS;

/**
 * The service's time as far as this client knows it: its own clock, corrected by what the service said. It dates
 * messages and authorizations; nothing that protects the client itself depends on it.
 */
export class ServiceClock {
  private offsetMs = 0;

  constructor(private readonly local: () => number) {}

  /** Unix ms, as the service counts. */
  now(): number {
    return this.local() + this.offsetMs;
  }

  /** Unix ms of this machine, which no service changes. */
  localNow(): number {
    return this.local();
  }

  /** Answers false for a time that no wrong clock explains; such a time is not believed. */
  correct(serverTime: number): boolean {
    const offsetMs = serverTime - this.local();
    if (Math.abs(offsetMs) > OFFSET_MS_MAX) return false;
    this.offsetMs = offsetMs;
    return true;
  }
}
