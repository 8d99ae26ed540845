import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
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
