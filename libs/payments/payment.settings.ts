import type { Rail } from './chain.port.js';

export class PaymentSettings {
  constructor(
    readonly rails: readonly Rail[],
    /** Receives fees and prices. */
    readonly serviceWallet: string,
    /** Whether the chains are development nodes. */
    readonly playMoney = false,
  ) {}
}
