import { PaymentAccepted } from '#libs/domain/payment.js';
import type { Rail } from './chain.port.js';
import { paymentRequestKey } from './ledger.js';
import type { PaymentPayload } from './payment-payload.js';
import type { PaidRequest, Purchase } from './purchase.js';
import { comparableText } from './request-commitment.js';

export interface CheckedPayment {
  readonly purchase: Purchase;
  readonly payload: PaymentPayload;
  readonly rail: Rail;
  readonly block: number;
}

export function acceptedFact(request: PaidRequest, { purchase, payload, rail, block }: CheckedPayment) {
  const { authorization, signature, paymentId } = payload;
  const ids = request.context.ids.from(paymentRequestKey(paymentId));
  const { commitment, salt } = ids.salted('request', comparableText(request));
  return PaymentAccepted({
    payment: paymentId,
    endpoint: request.endpoint,
    muse_id: request.context.actor,
    rail: rail.name,
    payer: authorization.from,
    nonce: authorization.nonce,
    amount: authorization.value,
    valid_after: authorization.validAfter,
    valid_before: authorization.validBefore,
    block,
    pay_to: authorization.to,
    signature,
    fields: request.fields,
    subject: purchase.subject,
    ...(purchase.hire !== undefined && { hire: purchase.hire }),
    owner: purchase.owner,
    things: [
      ...purchase.things.map(({ kind, value }) => ({ kind, value })),
      ...request.requestKeys.map(value => ({ kind: 'request' as const, value })),
    ],
    request_commitment: commitment,
    request_salt: salt,
  });
}
