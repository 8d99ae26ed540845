import type { Query, QueryBus } from '@nestjs/cqrs';
import type { WriteRoute } from '#libs/http/routes.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { Refusal } from '#libs/kernel/refusal.js';
import type { Payments } from '#libs/payments/payments.js';
import type { Price } from '#libs/payments/purchase.js';

/** Answers a request that carries neither a signature nor a payment with the endpoint's price, where it has one. */
export function offerTo(queries: QueryBus, payments: Payments) {
  return async (route: WriteRoute, fields: RequestFields, why: string): Promise<never> => {
    const price = await queries.execute<Query<Price | null>>(route.paid!.price(fields) as Query<Price | null>);
    if (price === null)
      throw new Refusal('unsigned', why, { hint: 'Sign the body, or send authorization: Bearer <token>.' });
    throw payments.offer(price, why);
  };
}
