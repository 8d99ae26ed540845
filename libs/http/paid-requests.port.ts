import type { FastifyRequest } from 'fastify';
import type { RequestFields } from '#libs/kernel/event.js';
import type { RequestKey } from '#libs/kernel/ids.js';
import type { WriteRoute } from './routes.js';

export interface PresentedPayment {
  /** Id of the x402 extension `payment-identifier`. */
  readonly identifier: string | null;
}

export abstract class PaidRequests {
  /** Throws the 402 of a paid endpoint for an unsigned request without a payment. */
  abstract offer(request: FastifyRequest, route: WriteRoute, fields: RequestFields, why: string): Promise<void>;
  /** Identifies the purchase that limits count; undefined for a request that may be free or has no payment. */
  abstract purchaseOf(request: FastifyRequest, route: WriteRoute, fields: RequestFields): string | undefined;
  /** Null without a payment. Throws a 400 about a malformed payment. */
  abstract read(request: FastifyRequest, route: WriteRoute, fields: RequestFields): PresentedPayment | null;
  /** Whether a payment was made or is pending for a request. */
  abstract isPaid(requestKey: RequestKey): Promise<boolean>;
}
