import type { Sample } from './sample.js';

const INDENT = 2;

/** Parameters of `tools/call` as JSON; null if the operation has no tool. */
export function mcp({ operation, fields }: Sample): string | null {
  const { tool } = operation.doc;
  return tool ? JSON.stringify({ name: tool.name, arguments: fields }, null, INDENT) : null;
}
