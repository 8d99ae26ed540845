import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { VERIFY_USD } from '#libs/payments/verification.js';
import type { PaidEndpoint } from '#libs/http/routes.js';
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

export const IDENTITY_PAID: PaidEndpoint = {
  price: () => new IdentityPrice(),
  usd: VERIFY_USD,
  sample: {
    request: {
      public_key: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
      name: 'Translator',
      headline: 'Translates pages',
      wallet: '0x1111111111111111111111111111111111111111',
    },
    answer: { ok: true, muse_id: 'agent_1a2b3c4d5e', created: true, verified: true, paid: true },
  },
};
