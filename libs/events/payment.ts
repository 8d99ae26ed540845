import { event } from './define.js';
import * as f from './fields.js';

/**
 * A payment is meant to be sent: written down before anything is. It is identified by the authorization
 * (chain, asset, payer, EIP-3009 nonce). `subject` is what the effect needs besides the request's fields, decided
 * before the payment was taken; `fields` are the request's own.
 */
export const PaymentAccepted = event('PaymentAccepted', {
  data: {
    payment: f.text,
    endpoint: f.text,
    muse_id: f.museId,
    rail: f.rail,
    payer: f.address,
    nonce: f.transaction,
    amount: f.amount,
    valid_after: f.text,
    valid_before: f.text,
    /** The newest block in which the authorization was read as unused. */
    block: f.integer,
    pay_to: f.address,
    signature: f.text,
    fields: f.requestFields,
    subject: f.json,
    /** The stream whose state holds what the payment binds, and everything that is claimed before anything is sent. */
    owner: f.text,
    things: f.list(f.object({ kind: f.oneOf('name', 'key', 'wallet', 'purchase', 'request'), value: f.text })),
    /** The canonical JSON's sha256 of endpoint, muse and compared fields: what makes two requests the same purchase. */
    request_digest: f.hash,
  },
  seals: { held: ['pay_to', 'signature'], personal: ['fields', 'subject', 'things'] },
});

/** Our transaction is signed and about to be sent. `raw` is sent again on any doubt. */
export const PaymentSubmitted = event('PaymentSubmitted', {
  data: {
    payment: f.text,
    tx: f.transaction,
    relayer: f.address,
    relayer_nonce: f.integer,
    fee: f.amount,
    raw: f.text,
  },
  seals: { held: ['raw'] },
});

/** The chain shows the transfer, in our transaction or somebody else's. */
export const PaymentSettled = event('PaymentSettled', {
  data: { payment: f.text, tx: f.transaction, block: f.integer },
});

/** Nothing was sent, or the chain shows that it never can be. Final for the authorization. */
export const PaymentRefused = event('PaymentRefused', { data: { payment: f.text, reason: f.text } });

/** A confirmed block later than `validBefore` shows the authorization unused. Final for the authorization. */
export const PaymentExpired = event('PaymentExpired', { data: { payment: f.text, block: f.integer } });

/** What was paid for has happened, or has lost its object meanwhile (`void`, with the reason's code). */
export const PaymentApplied = event('PaymentApplied', {
  data: {
    payment: f.text,
    muse_id: f.museId,
    endpoint: f.text,
    outcome: f.oneOf('applied', 'void'),
    reason: f.orNull(f.text),
  },
});
