import { type CallKind, noCalls } from './call-counts.js';

/**
 * Faults: `dropped` is swallowed, `unanswered` executes without a response, `cut` also breaks the connection,
 * `not-ready` is refused. `denied`: the user lacks a right; `unauthenticated`: its password is wrong.
 */
export type WireFault =
  'dropped' | 'unanswered' | 'cut' | 'not-ready' | 'denied' | 'unauthenticated' | { readonly delayMs: number };

export class WireFaults {
  private readonly planned = { append: [] as (WireFault | null)[], read: [] as (WireFault | null)[] };
  private lasting: WireFault | null = null;
  /** Time between an append and its delivery to live subscriptions, as on a real server under load. */
  deliveryDelayMs = 0;
  readonly requests = { append: 0, read: 0 };
  readonly calls = noCalls();

  /** Plans faults for the next requests; null lets a request pass. */
  plan(method: 'append' | 'read', ...faults: (WireFault | null)[]): void {
    this.planned[method].push(...faults);
  }

  /** Applies a fault to every further request until `plan` or null. */
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
