import type { Refusal } from '#libs/kernel/refusal.js';

/** A payment has settled and its effect refuses what was accepted: the rules have become stricter since. */
export class PaymentEffectError extends Error {
  constructor(cause: Refusal) {
    super(`What was paid for is refused: ${cause.code}: ${cause.message}`, { cause });
    this.name = 'NotApplied';
  }
}
