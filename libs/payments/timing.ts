import { SECOND_MS } from '#libs/kernel/clock.js';

/** How long a payment waits for what. */
export interface Timing {
  /** How long a request waits for its payment before it is answered `settlement_pending`. */
  readonly waitMs: number;
  /** The first pause between two looks at the chain; each further one is three times as long, up to `pollMsMax`. */
  readonly pollMs: number;
  readonly pollMsMax: number;
  /** The age at which a transaction that no block has is sent again with a higher fee; doubles with each. */
  readonly stuckMs: number;
  /** The age at which a transaction that failed is replaced by a new one; doubles with each. */
  readonly resubmitMs: number;
  /** How often the watchdog looks for payments that nobody waits for. */
  readonly watchMs: number;
  /** How long the watchdog stays with one payment. */
  readonly passMs: number;
  /** How long the relayer's lease is kept after its last use, so that a busy process need not ask for its nonce again. */
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
