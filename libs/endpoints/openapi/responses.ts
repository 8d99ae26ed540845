import { type ServiceErrorCode, ERROR_CODES } from '#libs/kernel/error-codes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { OtherStatuses } from '#libs/http/routes.js';
import { extendFailure, groupByStatus } from './error-schemas.js';
import { headerRefs } from './headers.js';

const failure = { $ref: '#/components/schemas/Failure' };
const paymentRequired = { $ref: '#/components/schemas/PaymentRequired' };
const problem = { $ref: '#/components/schemas/Problem' };

/** `fields`: names that a 400 may have as its code. */
export function failureResponses(
  codes: readonly ServiceErrorCode[],
  fields: readonly string[],
  others: OtherStatuses = {},
): JsonObject {
  const groups = groupByStatus(codes, others);
  if (fields.length > 0 && !groups.has(400)) groups.set(400, []);
  const entries = [...groups]
    .sort(([a], [b]) => a - b)
    .map(([status, listed]) => [status, response(status, listed, fields)]);
  return Object.fromEntries(entries) as JsonObject;
}

function response(status: number, codes: readonly ServiceErrorCode[], fields: readonly string[]): JsonObject {
  const named = status === 400 ? fields : [];
  const lines = codes.map(code => `- \`${code}\`: ${ERROR_CODES[code][2]}`);
  const fieldLines =
    named.length > 0 ? [`- the name of the field at fault: ${named.map(name => `\`${name}\``).join(', ')}`] : [];
  const code = { properties: { code: codeSchema(codes, named) } };
  const schema = status === 402 ? paymentRequired : failure;
  return {
    description: [...lines, ...fieldLines].join('\n'),
    headers: headerRefs('x-request-id', ...headersOf(status)),
    content: {
      'application/json': { schema: { ...schema, ...code } },
      'application/problem+json': { schema: { ...problem, ...code } },
    },
  };
}

/** Has no closed list for 400: an unsigned request may be refused by the name of any member. */
function codeSchema(codes: readonly ServiceErrorCode[], fields: readonly string[]): JsonObject {
  if (fields.length > 0) return { type: 'string', examples: [...codes, ...fields] };
  return { type: 'string', enum: [...codes] };
}

function headersOf(status: number): string[] {
  if (status === 402) return ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'];
  if (status === 409) return ['retry-after', 'PAYMENT-RESPONSE', 'X-PAYMENT-RESPONSE'];
  if (status === 429) return ['retry-after', 'ratelimit-policy', 'ratelimit'];
  return status === 503 ? ['retry-after'] : [];
}

const offerEntry = {
  type: 'object',
  properties: {
    scheme: { const: 'exact', description: 'Payment scheme of x402' },
    network: { type: 'string', description: 'Short name of the chain' },
    maxAmountRequired: { type: 'string', pattern: '^[0-9]+$', description: "The token's smallest unit" },
    asset: { type: 'string', description: 'Address of the token' },
    payTo: { type: 'string', description: 'Wallet that is paid' },
    resource: { type: 'string', format: 'uri', description: 'Address that is paid for' },
    description: { type: 'string', description: 'What is paid for' },
    mimeType: { type: 'string', description: 'Media type of the answer' },
    maxTimeoutSeconds: { type: 'integer', description: 'Time to settle the payment' },
    extra: {
      type: 'object',
      description: 'EIP-712 domain of the token',
      properties: {
        name: { type: 'string', description: 'Name of the token' },
        version: { type: 'string', description: 'Version of the token' },
      },
      required: ['name', 'version'],
    },
  },
  required: ['scheme', 'network', 'maxAmountRequired', 'asset', 'payTo', 'resource', 'maxTimeoutSeconds', 'extra'],
};

/** Body of a 402: a failure and an x402 version 1 offer. Version 2 is in the header. */
export const PAYMENT_REQUIRED = extendFailure({
  properties: {
    x402Version: { type: 'integer', enum: [1], description: 'Version of x402' },
    accepts: { type: 'array', description: 'Offers; choose one', items: offerEntry },
    unsigned: { type: 'string', description: 'Why the request counts as unsigned, if it does' },
    play_money: { type: 'boolean', const: true, description: 'Only on a development chain: its money has no value' },
    extensions: {
      type: 'object',
      description:
        '`bazaar`: a sample call, a sample answer and their JSON Schema, for directories of paid endpoints. ' +
        '`offer-receipt`: signatures of the version 2 offers in the header `PAYMENT-REQUIRED`',
    },
  },
});
