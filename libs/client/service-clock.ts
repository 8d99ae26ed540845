import { DAY_MS } from '#libs/kernel/clock.js';

/** A wrong time zone explains hours of difference, but nothing explains more than a day. */
export const OFFSET_MS_MAX = DAY_MS;

/**
 * Estimates the service's time by correcting the local clock. Only for timestamps: nothing that protects the client
 * depends on it.
 */
export class ServiceClock {
  private offsetMs = 0;

  constructor(private readonly local: () => number) {}

  /** Unix ms by the service's clock. */
  now(): number {
    return this.local() + this.offsetMs;
  }

  /** Unix ms by the local clock. */
  localNow(): number {
    return this.local();
  }

  /** Returns false, and changes nothing, if the difference is implausible. */
  correct(serverTime: number): boolean {
    const offsetMs = serverTime - this.local();
    if (Math.abs(offsetMs) > OFFSET_MS_MAX) return false;
    this.offsetMs = offsetMs;
    return true;
  }
}
