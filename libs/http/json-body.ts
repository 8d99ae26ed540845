import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isJsonObject, parseJson } from '#libs/kernel/json.js';
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
  const value = parseJson(text);
  if (value === undefined) throw new InvalidJson('The body is not valid JSON.');
  rule(isJsonObject(value), 'body', 'The body must be one JSON object.', { field: 'body' });
  rule(keys === Object.keys(value).length, 'body', 'The body contains a key twice.', { field: 'body' });
  return value;
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

const JSON_TYPES = ['application/json'];

/** Parses each body as one JSON object of the given media types. An empty body of any content type is `{}`. */
export function registerBodyParser(app: FastifyInstance, types: readonly string[] = JSON_TYPES): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      if ((body as Buffer).length > 0) refuseCompressed(request);
      if (request.headers['content-digest'] !== undefined) request.content = body as Buffer;
      const text = decodeUtf8(body as Buffer);
      const type = (request.headers['content-type'] ?? '').split(';', 1)[0]!.trim().toLowerCase();
      if (text !== '' && !types.includes(type)) {
        throw new Refusal('content_type', `The body must be ${types.join(' or ')}.`);
      }
      done(null, parseBody(text));
    } catch (error) {
      done(error as Error);
    }
  });
}

/** Fastify refuses a malformed content type even without a body. Call this before the body is read. */
export function forgetMalformedType(request: FastifyRequest): void {
  const { headers } = request;
  if (headers['content-type'] !== undefined && request.mediaType === undefined) delete headers['content-type'];
}

/** RFC 9110, section 8.4: a 415 names the accepted codings. */
function refuseCompressed({ headers }: FastifyRequest): void {
  const coding = headers['content-encoding'] ?? 'identity';
  rule(coding.trim().toLowerCase() === 'identity', 'content_type', 'The body must not be compressed.', {
    headers: { 'accept-encoding': 'identity' },
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decodeUtf8(body: Buffer): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new InvalidJson('The body is not UTF-8.');
  }
}
