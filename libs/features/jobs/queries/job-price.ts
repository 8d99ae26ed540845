import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { validate } from '#libs/http/validate.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import type { PaidEndpoint } from '#libs/http/routes.js';
import type { Price } from '#libs/payments/purchase.js';
import { feePrice } from '../commands/job.js';
import { BudgetDto, feeOf } from '../job-terms.js';

/** What a job would cost; null for one without a budget, which is free. */
export class JobPrice extends Query<Price | null> {
  constructor(readonly fields: RequestFields) {
    super();
  }
}

@QueryHandler(JobPrice)
export class JobPriceHandler implements IQueryHandler<JobPrice> {
  constructor(private readonly settings: PaymentSettings) {}

  async execute({ fields }: JobPrice): Promise<Price | null> {
    const fee = feeOf(validate(BudgetDto, fields).dto, this.settings.rails);
    return fee && feePrice(fee, this.settings.serviceWallet);
  }
}

export const JOB_PAID: PaidEndpoint = {
  price: fields => new JobPrice(fields),
  sample: {
    request: {
      title: 'Translate a page',
      summary: 'One page of documentation, English to French.',
      done: 'A page in French at an address.',
      budget_usd: '10',
    },
    answer: { ok: true, role: 'job-123456789012', url: '/api/role/job-123456789012', paid: true },
  },
};
