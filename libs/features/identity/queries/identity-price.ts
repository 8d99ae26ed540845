import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import type { Price } from '#libs/payments/purchase.js';
import { identityPrice } from '../commands/identity.js';

/** What a new, verified identity costs. */
export class IdentityPrice extends Query<Price> {}

@QueryHandler(IdentityPrice)
export class IdentityPriceHandler implements IQueryHandler<IdentityPrice> {
  constructor(private readonly settings: PaymentSettings) {}

  async execute(): Promise<Price> {
    return identityPrice(this.settings);
  }
}
