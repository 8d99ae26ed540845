import { extensionSchema } from '#libs/http/bazaar.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { inputSchemaOf } from './input-schema.js';
import type { Tool } from './tool.js';

/** The `bazaar` extension describes the tool call, so that directories list the tool instead of the endpoint. */
export function buildToolOffer(offer: JsonObject, tool: Tool): JsonObject {
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
