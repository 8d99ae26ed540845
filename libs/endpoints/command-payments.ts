import type { Query, QueryBus } from '@nestjs/cqrs';
import type { FastifyRequest } from 'fastify';
import { PaidRequests } from '#libs/http/paid-requests.port.js';
import type { WriteRoute } from '#libs/http/routes.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { type RequestKey, sha256Hex } from '#libs/kernel/ids.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { Payments } from '#libs/payments/payments.js';
import { type PaymentCarriers, type PaymentPayload, readPaymentPayload } from '#libs/payments/payment-payload.js';
import type { Price } from '#libs/payments/purchase.js';

export class CommandPayments extends PaidRequests {
  constructor(
    private readonly queries: QueryBus,
    private readonly payments: Payments,
  ) {
    super();
  }

  async offer(request: FastifyRequest, { paid }: WriteRoute, fields: RequestFields, why: string): Promise<void> {
    if (!paid || findPaymentText(request, fields) !== undefined) return;
    const price = await this.queries.execute<Query<Price | null>>(paid.price(fields) as Query<Price | null>);
    if (price === null)
      throw new Refusal('unsigned', why, { hint: 'Sign the body, or send authorization: Bearer <token>.' });
    throw await this.payments.offer(price, why);
  }

  purchaseOf(request: FastifyRequest, { paid }: WriteRoute, fields: RequestFields): string | undefined {
    if (!paid?.isSold(fields)) return undefined;
    const text = findPaymentText(request, fields);
    return text === undefined ? undefined : sha256Hex(text);
  }

  read(request: FastifyRequest, { paid }: WriteRoute, fields: RequestFields): PaymentPayload | null {
    return paid ? readPaymentPayload(locatePayments(request, fields)) : null;
  }

  isPaid(requestKey: RequestKey): Promise<boolean> {
    return this.payments.isPaid(requestKey);
  }
}

const findPaymentText = (request: FastifyRequest, fields: RequestFields): string | undefined =>
  Object.values(locatePayments(request, fields)).find(value => value !== undefined);

const locatePayments = (request: FastifyRequest, fields: RequestFields): PaymentCarriers => ({
  paymentSignature: header(request, 'payment-signature'),
  xPayment: header(request, 'x-payment'),
  field: fields['x402_payment'] || undefined,
});

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}
