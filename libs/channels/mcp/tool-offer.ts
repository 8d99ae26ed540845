import { extensionSchema } from '#libs/http/bazaar.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { inputSchemaOf } from './input-schema.js';
import type { Tool } from './tool.js';

/**
 * An offer as a tool makes it: its `bazaar` extension says how the tool is called, so that a directory lists the tool and
 * not the endpoint behind it.
 */
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
