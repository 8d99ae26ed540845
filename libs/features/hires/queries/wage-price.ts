import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { Hire } from '#libs/streams/hire.js';
import { Muse } from '#libs/streams/muse.js';
import { Journal } from '#libs/event-log/journal.js';
import { validate } from '#libs/http/validate.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { rule } from '#libs/kernel/refusal.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import type { PaidEndpoint } from '#libs/http/routes.js';
import type { Price } from '#libs/payments/purchase.js';
import { PayDto, wage } from '../commands/pay.js';

/** What a wage would cost; null where that would show a payout address, which is private until a wage on the chain shows it. */
export class WagePrice extends Query<Price | null> {
  constructor(readonly fields: RequestFields) {
    super();
  }
}

@QueryHandler(WagePrice)
export class WagePriceHandler implements IQueryHandler<WagePrice> {
  constructor(
    private readonly journal: Journal,
    private readonly settings: PaymentSettings,
  ) {}

  async execute({ fields }: WagePrice): Promise<Price | null> {
    const { dto } = validate(PayDto, fields);
    const { state: hire } = await this.journal.load(Hire.of(Number(dto.hire)));
    rule(hire.status !== 'unknown', 'not_found', 'There is no such hire.', { field: 'hire' });
    if (hire.status !== 'delivered' || hire.budget === null) return null;
    const { state: worker } = await this.journal.load(Muse.of(hire.worker));
    if (worker.status === 'unknown' || worker.wallet === null) return null;
    return wage({ ...hire, budget: hire.budget }, worker.wallet, this.settings);
  }
}

export const PAY_PAID: PaidEndpoint = {
  price: fields => new WagePrice(fields),
  sample: {
    request: { hire: '123456789012' },
    answer: { ok: true, hire: 123456789012, paid: true },
  },
};
