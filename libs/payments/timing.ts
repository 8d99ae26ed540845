import { SECOND_MS } from '#libs/kernel/clock.js';

export interface Timing {
  readonly waitMs: number;
  /** First pause between observations. Triples up to `pollMsMax`. */
  readonly pollMs: number;
  readonly pollMsMax: number;
  /** Age at which a pending transaction gets a higher fee. Doubles each time. */
  readonly stuckMs: number;
  /** Age at which a failed transaction is replaced. Doubles each time. */
  readonly resubmitMs: number;
  readonly watchMs: number;
  readonly passMs: number;
  readonly idleMs: number;
}

export const TIMING: Timing = {
  waitMs: 20 * SECOND_MS,
  pollMs: 2,
  pollMsMax: SECOND_MS,
  stuckMs: 10 * SECOND_MS,
  resubmitMs: SECOND_MS,
  watchMs: 3 * SECOND_MS,
  passMs: SECOND_MS,
  idleMs: 250,
};
