import type { Rail } from './chain.port.js';

/** What paying is set to. */
export class PaymentSettings {
  constructor(
    /** In the order in which they are offered. */
    readonly rails: readonly Rail[],
    /** Where fees and prices go. */
    readonly serviceWallet: string,
  ) {}
}
