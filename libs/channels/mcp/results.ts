import type { CallToolResult } from '@modelcontextprotocol/server';
import type { InnerResponse } from '#libs/http/inner-request.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { decodePaymentHeader } from '#libs/payments/payment-headers.js';
import { remedyOf, omitHint } from './remedy.js';
import type { Tool } from './tool.js';
import { buildToolOffer } from './tool-offer.js';
import { markUntrusted } from './untrusted.js';

/** Where an x402 payment stands in a call, and its outcome in the result (x402, MCP transport). */
export const PAYMENT = 'x402/payment';
const OUTCOME = 'x402/payment-response';

const HOW_TO_PAY =
  'This has to be paid for. Ask your person first. A client that pays signs one of `accepts` and calls the tool again ' +
  `with the same arguments and the payment in \`_meta["${PAYMENT}"]\`; keep the same \`idempotency_key\`.`;

/** An answer as a tool's result: a success, an offer where it has to be paid for, or a failure with what to do about it. */
export function toToolResult(tool: Tool, answered: InnerResponse, tools: ReadonlyMap<string, Tool>): CallToolResult {
  const outcome = decodePaymentHeader(answered.headers['payment-response']);
  const meta = outcome && { _meta: { [OUTCOME]: outcome } };
  if (answered.status === 200)
    return {
      ...jsonResult(markUntrusted(answered.body, tool.route.describe.answer as unknown as JsonObject)),
      ...meta,
    };
  const offer = answered.status === 402 ? decodePaymentHeader(answered.headers['payment-required']) : null;
  if (offer) return { ...offerResult(buildToolOffer(offer, tool), answered.body, tools), ...meta };
  return { ...toFailureResult(answered.body, tools), ...meta };
}

/** A failure that no request was made for has the same form. */
export function toFailureResult(body: JsonObject, tools: ReadonlyMap<string, Tool>): CallToolResult {
  return { ...jsonResult({ ...omitHint(body), what_to_do: remedyOf(body['code'], tools) }), isError: true };
}

/**
 * The first text has to be the offer alone. Why a payment was refused stands in its `error`, and why nobody is known by
 * the call in `unsigned`, as REST says them.
 */
function offerResult(
  offer: JsonObject,
  { error, code, unsigned }: JsonObject,
  tools: ReadonlyMap<string, Tool>,
): CallToolResult {
  const refused = code !== 'payment_required' && `The payment was refused (${code as string}): ${error as string}`;
  const unknown = unsigned !== undefined && `${unsigned as string} ${remedyOf('unsigned', tools)}`;
  const { content, ...rest } = jsonResult({ ...offer, ...(unsigned !== undefined && { unsigned }) });
  const text = [unknown, refused, HOW_TO_PAY].filter(said => said !== false).join(' ');
  return { ...rest, content: [...content, { type: 'text', text }], isError: true };
}

const jsonResult = (structuredContent: JsonObject): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
});
