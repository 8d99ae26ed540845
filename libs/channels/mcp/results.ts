import type { CallToolResult } from '@modelcontextprotocol/server';
import { extensionSchema } from '#libs/http/bazaar.js';
import type { InnerResponse } from '#libs/http/inner-request.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { decodePaymentHeader, signedOfferOf } from '#libs/payments/payment-headers.js';
import { inputSchemaOf } from './tool-descriptions.js';
import { remedyOf, omitHint } from './remedy.js';
import type { Tool } from './tool.js';
import { markUntrusted } from './untrusted.js';

/** Keys of the payment in `_meta` of a call, and of its outcome in `_meta` of the result (x402, MCP transport). */
export const PAYMENT = 'x402/payment';
const OUTCOME = 'x402/payment-response';

const HOW_TO_PAY =
  'This call must be paid. Ask your person first. To pay, sign one of `accepts` and call the tool again with the same ' +
  `arguments, the same \`idempotency_key\` and the payment in \`_meta["${PAYMENT}"]\`.`;

export function toToolResult(tool: Tool, response: InnerResponse, tools: ReadonlyMap<string, Tool>): CallToolResult {
  const outcome = decodePaymentHeader(response.headers['payment-response']);
  const meta = outcome && { _meta: { [OUTCOME]: outcome } };
  if (response.status === 200)
    return {
      ...jsonResult(markUntrusted(response.body, tool.route.describe.answer as unknown as JsonObject)),
      ...meta,
    };
  const offer = response.status === 402 ? signedOfferOf(response.headers, response.body) : null;
  if (offer) return { ...offerResult(buildToolOffer(offer, tool), response.body, tools), ...meta };
  return { ...toFailureResult(response.body, tools), ...meta };
}

export function toFailureResult(body: JsonObject, tools: ReadonlyMap<string, Tool>): CallToolResult {
  return { ...jsonResult({ ...omitHint(body), what_to_do: remedyOf(body['code'], tools) }), isError: true };
}

/**
 * The first text must be only the offer. The second text says why a payment was refused or the call is not
 * authenticated.
 */
function offerResult(
  offer: JsonObject,
  { error, code, unsigned }: JsonObject,
  tools: ReadonlyMap<string, Tool>,
): CallToolResult {
  const paymentFault = code !== 'payment_required' && `The payment was refused (${code as string}): ${error as string}`;
  const authenticationFault = unsigned !== undefined && `${unsigned as string} ${remedyOf('unsigned', tools)}`;
  const { content, ...rest } = jsonResult({ ...offer, ...(unsigned !== undefined && { unsigned }) });
  const text = [authenticationFault, paymentFault, HOW_TO_PAY].filter(sentence => sentence !== false).join(' ');
  return { ...rest, content: [...content, { type: 'text', text }], isError: true };
}

const jsonResult = (structuredContent: JsonObject): CallToolResult => ({
  content: [{ type: 'text', text: JSON.stringify(structuredContent) }],
  structuredContent,
});

/** The `bazaar` extension describes the tool call, so that directories list the tool instead of the endpoint. */
function buildToolOffer(offer: JsonObject, tool: Tool): JsonObject {
  const extensions = offer['extensions'] as JsonObject | undefined;
  if (!extensions?.['bazaar'] || tool.method === 'GET' || !tool.route.paid) return offer;
  return { ...offer, extensions: { ...extensions, bazaar: bazaarExtension(tool, tool.route.paid.sample.answer) } };
}

function bazaarExtension(tool: Tool, example: JsonObject): JsonObject {
  const input = { type: 'mcp', toolName: tool.name, transport: 'streamable-http', inputSchema: inputSchemaOf(tool) };
  return { info: { input, output: { type: 'json', example } }, schema: INFO_SCHEMA };
}

const INFO_SCHEMA = extensionSchema({
  type: 'object',
  properties: {
    type: { type: 'string', const: 'mcp' },
    toolName: { type: 'string' },
    transport: { type: 'string', enum: ['streamable-http'] },
    inputSchema: { type: 'object' },
  },
  required: ['type', 'toolName', 'inputSchema'],
  additionalProperties: false,
});
