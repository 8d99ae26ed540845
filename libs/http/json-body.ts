import { Refusal, rule } from '#libs/kernel/refusal.js';

export const BODY_BYTES_MAX = 64 * 1024;
/** Refuses deep nesting before parsing. Fields of requests are flat. */
const DEPTH_MAX = 32;

/** A body that is not JSON. JSON-RPC has another code for JSON that is not a request. */
export class InvalidJson extends Refusal {
  constructor(why: string) {
    super('body', why, { field: 'body' });
  }
}

const refuseBody = (why: string): never => {
  throw new Refusal('body', why, { field: 'body' });
};

export function parseBody(text: string): { readonly [name: string]: unknown } {
  if (text.trim() === '') return {};
  const keys = topLevelKeys(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new InvalidJson('The body is not valid JSON.');
  }
  rule(
    typeof value === 'object' && value !== null && !Array.isArray(value),
    'body',
    'The body must be one JSON object.',
    { field: 'body' },
  );
  const distinct = Object.keys(value);
  rule(keys === distinct.length, 'body', 'The body contains a key twice.', { field: 'body' });
  return value as { readonly [name: string]: unknown };
}

/**
 * Counts the top-level keys, including duplicates. `JSON.parse` silently keeps the last duplicate, so a signature over
 * the first one would vouch for it.
 */
function topLevelKeys(text: string): number {
  let depth = 0;
  let keys = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at];
    if (char === '"') at = endOfString(text, at);
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
    else if (char === ':' && depth === 1) keys += 1;
    if (depth > DEPTH_MAX) refuseBody('The body is nested too deeply.');
  }
  return keys;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}
