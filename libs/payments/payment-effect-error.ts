import type { Refusal } from '#libs/kernel/refusal.js';

/** The effect refuses a payment that has settled: its rules have become stricter since acceptance. */
export class PaymentEffectError extends Error {
  constructor(cause: Refusal) {
    super(`The effect of a settled payment was refused: ${cause.code}: ${cause.message}`, { cause });
    this.name = 'PaymentEffectError';
  }
}
