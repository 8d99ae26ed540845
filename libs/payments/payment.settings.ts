import type { Rail } from './chain.port.js';

export class PaymentSettings {
  constructor(
    readonly rails: readonly Rail[],
    readonly serviceWallet: string,
    readonly playMoney = false,
  ) {}
}
