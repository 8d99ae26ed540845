/**
 * What happens to one request. `dropped`: swallowed. `unanswered`: carried out, never answered. `cut`: carried out,
 * then the connection breaks. `not-ready`: refused as by a server that starts. Or its answer is delayed.
 */
export type WireFault = 'dropped' | 'unanswered' | 'cut' | 'not-ready' | { readonly delayMs: number };

/** The faults of a double of EventStoreDB, by method. */
export class WireFaults {
  private readonly planned = { append: [] as (WireFault | null)[], read: [] as (WireFault | null)[] };
  private lasting: WireFault | null = null;
  /** How many requests have come. */
  readonly requests = { append: 0, read: 0 };

  /** The next requests, in order; null lets one through. */
  plan(method: 'append' | 'read', ...faults: (WireFault | null)[]): void {
    this.planned[method].push(...faults);
  }

  /** Every request from now on, until `plan` or null. */
  always(fault: WireFault | null): void {
    this.lasting = fault;
  }

  next(method: 'append' | 'read'): WireFault | null {
    this.requests[method] += 1;
    const planned = this.planned[method].shift();
    return planned === undefined ? this.lasting : planned;
  }
}
