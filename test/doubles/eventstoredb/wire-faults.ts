import { type CallKind, noCalls } from './call-counts.js';

/**
 * What happens to one request. `dropped`: swallowed. `unanswered`: carried out, never answered. `cut`: carried out,
 * then the connection breaks. `not-ready`: refused as by a server that starts. Or its answer is delayed.
 */
export type WireFault = 'dropped' | 'unanswered' | 'cut' | 'not-ready' | { readonly delayMs: number };

/** The faults of a double of EventStoreDB, by method, and a count of what was asked. */
export class WireFaults {
  private readonly planned = { append: [] as (WireFault | null)[], read: [] as (WireFault | null)[] };
  private lasting: WireFault | null = null;
  /** How many requests have come. */
  readonly requests = { append: 0, read: 0 };
  /** The same by kind. */
  readonly calls = noCalls();

  /** The next requests, in order; null lets one through. */
  plan(method: 'append' | 'read', ...faults: (WireFault | null)[]): void {
    this.planned[method].push(...faults);
  }

  /** Every request from now on, until `plan` or null. */
  always(fault: WireFault | null): void {
    this.lasting = fault;
  }

  next(kind: CallKind): WireFault | null {
    const method = kind === 'append' ? kind : 'read';
    this.calls[kind] += 1;
    this.requests[method] += 1;
    const planned = this.planned[method].shift();
    return planned === undefined ? this.lasting : planned;
  }
}
