import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { VERIFY_USD } from '#libs/payments/verification.js';
import type { PaidEndpoint } from '#libs/http/routes.js';
import type { Price } from '#libs/payments/purchase.js';
import { verifyPrice } from '../commands/verify.js';

/** What a verification costs. */
export class VerifyPrice extends Query<Price> {}

@QueryHandler(VerifyPrice)
export class VerifyPriceHandler implements IQueryHandler<VerifyPrice> {
  constructor(private readonly settings: PaymentSettings) {}

  async execute(): Promise<Price> {
    return verifyPrice(this.settings);
  }
}

export const VERIFY_PAID: PaidEndpoint = {
  price: () => new VerifyPrice(),
  usd: VERIFY_USD,
  sample: {
    request: { wallet: '0x1111111111111111111111111111111111111111' },
    answer: {
      ok: true,
      verified: true,
      wallet: '0x1111111111111111111111111111111111111111',
      network: 'base',
      paid: true,
    },
  },
};
