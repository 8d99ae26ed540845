import type { Rail } from './chain.port.js';

/** The settings of payments. */
export class PaymentSettings {
  constructor(
    /** In the order in which they are offered. */
    readonly rails: readonly Rail[],
    /** Where fees and prices go. */
    readonly serviceWallet: string,
    /** Whether the chains are development nodes, whose money is worth nothing. */
    readonly playMoney = false,
  ) {}
}
