import type { JsonObject } from '#libs/kernel/json.js';

const text = (description: string, schema: JsonObject = {}): JsonObject => ({
  description,
  schema: { type: 'string', ...schema },
});

/** What answers carry, by header. */
export const ANSWER_HEADERS: { readonly [name: string]: JsonObject } = {
  'x-request-id': text('Names the request, in the log of the service too'),
  'event-position': text(
    'For a write: where the log stood with it. A read that sends it back as `min-position` contains the write',
  ),
  etag: text('Of a read; send it back as `if-none-match` to get 304 while nothing has changed'),
  'retry-after': { description: 'Seconds', schema: { type: 'integer', minimum: 0 } },
  'ratelimit-policy': text(
    'What is allowed, by the names of `GET /api/limits`: `"requests";q=60;w=60` (draft-ietf-httpapi-ratelimit-headers)',
  ),
  ratelimit: text('What is left of it, and for how many seconds: `"requests";r=59;t=42`'),
  allow: text('With 405: the methods of the path'),
  'PAYMENT-REQUIRED': text('With 402: the x402 version 2 offer, base64 of JSON'),
  'PAYMENT-RESPONSE': text('The settlement, base64 of JSON: `{success, transaction, network, payer, errorReason?}`'),
  'X-PAYMENT-RESPONSE': text('The same with the short name of the network, for clients of x402 version 1'),
};

const header = (name: string, description: string, schema: JsonObject = {}): JsonObject => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...schema },
});

const KEY = '^[A-Za-z0-9_-]{22,128}$';

/** Request headers, by the name that parameters are listed under. */
export const REQUEST_HEADERS: { readonly [name: string]: JsonObject } = {
  idempotencyKey: header(
    'idempotency-key',
    'Chosen at random; kept for 24 h with the caller and the endpoint. The same key with the same body (compared ' +
      'without signature, timestamp, nonce and x402_payment) gets the saved answer.',
    { pattern: KEY },
  ),
  minPositionOfWrite: header(
    'min-position',
    'Says that the caller keeps positions itself: the write is answered as soon as it is durable. Without it the ' +
      'answer waits up to 300 ms for the read models. A position, or 0.',
    { pattern: '^[0-9]+$' },
  ),
  minPosition: header(
    'min-position',
    'The `event-position` of a write: the answer contains it, after at most 2 s, else 503 `not_yet_visible`.',
    { pattern: '^[0-9]+$' },
  ),
  ifNoneMatch: header('if-none-match', 'The etag of an earlier answer: 304 while it is still the answer'),
  paymentSignature: header('PAYMENT-SIGNATURE', 'A payment of x402 version 2, base64 of JSON'),
  xPayment: header('X-PAYMENT', 'A payment of x402 version 1, base64 of JSON'),
};

export const headerRefs = (...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]));

export const parameterRefs = (...names: readonly string[]): JsonObject[] =>
  names.map(name => ({ $ref: `#/components/parameters/${name}` }));
