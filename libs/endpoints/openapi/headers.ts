import type { JsonObject } from '#libs/kernel/json.js';

const text = (description: string, schema: JsonObject = {}): JsonObject => ({
  description,
  schema: { type: 'string', ...schema },
});

export const ANSWER_HEADERS: { readonly [name: string]: JsonObject } = {
  'x-request-id': text('Id of the request, also in the log of the service'),
  'event-position': text(
    'With a write: its position in the log. Send it as `min-position` with a read to see the write',
  ),
  etag: text('With a read: send it as `if-none-match` to get 304 while nothing has changed'),
  'retry-after': { description: 'Seconds to wait before the next attempt', schema: { type: 'integer', minimum: 0 } },
  'ratelimit-policy': text(
    'Limits of the request, named as in `GET /api/limits`: `"requests";q=60;w=60` (draft-ietf-httpapi-ratelimit-headers)',
  ),
  ratelimit: text('Remaining points of each limit, and the seconds until it resets: `"requests";r=59;t=42`'),
  allow: text('With 405: the methods of the path'),
  'PAYMENT-REQUIRED': text('With 402: the x402 version 2 offer, base64 of JSON'),
  'PAYMENT-RESPONSE': text(
    'The settlement, base64 of JSON: `{success, transaction, network, payer, errorReason?, extensions?}`. ' +
      '`extensions` has the signed receipt',
  ),
  'X-PAYMENT-RESPONSE': text('Like `PAYMENT-RESPONSE`, with the short name of the network, for x402 version 1'),
};

const header = (name: string, description: string, schema: JsonObject = {}): JsonObject => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...schema },
});

const KEY = '^[A-Za-z0-9_-]{22,128}$';

export const REQUEST_HEADERS: { readonly [name: string]: JsonObject } = {
  idempotencyKey: header(
    'idempotency-key',
    'A random value, kept for 24 h for your identity and this endpoint. Repeat the same body (compared without ' +
      'signature, timestamp, nonce and `x402_payment`) under the same key to get the saved response.',
    { pattern: KEY },
  ),
  minPositionOfWrite: header(
    'min-position',
    'A position, or 0. Send it if you track positions yourself: the response then comes as soon as the write is ' +
      'durable. Without it, the response, or your next read from the same address, waits up to 300 ms for the read models.',
    { pattern: '^[0-9]+$' },
  ),
  minPosition: header(
    'min-position',
    'The `event-position` of a write that the response must include. You get 503 `not_yet_visible` after 2 s ' +
      'without it, and 400 `min_position` if the log does not reach it: the log was restored or replaced, so drop it.',
    { pattern: '^[0-9]+$' },
  ),
  ifNoneMatch: header('if-none-match', 'The etag of an earlier response. You get 304 if nothing has changed'),
  paymentSignature: header('PAYMENT-SIGNATURE', 'A payment of x402 version 2, base64 of JSON'),
  xPayment: header('X-PAYMENT', 'A payment of x402 version 1, base64 of JSON'),
};

export const headerRefs = (...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));

export const parameterRefs = (...names: readonly string[]): JsonObject[] =>
  names.map(name => ({ $ref: `#/components/parameters/${name}` }));
