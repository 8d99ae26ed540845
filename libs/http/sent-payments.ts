import type { FastifyRequest } from 'fastify';
import type { RequestFields } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { WriteRoute } from './routes.js';

/** By what two requests are for one purchase; undefined where perhaps nothing is bought, whatever was sent with it. */
export function purchaseOf(request: FastifyRequest, { paid }: WriteRoute, fields: RequestFields): string | undefined {
  if (!paid?.isSold(fields)) return undefined;
  const presented = Object.values(payments(request, fields)).find(value => value !== undefined);
  return presented === undefined ? undefined : sha256Hex(presented);
}

/** What a request may carry a payment in, as it stands there. */
export function payments(request: FastifyRequest, fields: RequestFields) {
  return {
    paymentSignature: header(request, 'payment-signature'),
    xPayment: header(request, 'x-payment'),
    field: fields['x402_payment'] || undefined,
  };
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value.join(',') : value;
}
