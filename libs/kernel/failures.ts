import { Unavailable } from './refusal.js';

/**
 * What fails is tried again, and told each time; but an outage, which every try meets, is told once until something has
 * succeeded since.
 */
export class Failures {
  private isAway = false;

  constructor(private readonly log: { error(details: object, message: string): void }) {}

  add(err: unknown, message: string, details: object = {}): void {
    const isOutage = err instanceof Unavailable;
    if (isOutage && this.isAway) return;
    this.isAway = isOutage;
    this.log.error({ err, ...details }, message);
  }

  /** Something has succeeded. */
  end(): void {
    this.isAway = false;
  }
}
