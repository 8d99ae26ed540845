import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { InvalidJson, parseBody } from './json-body.js';

const JSON_TYPES = ['application/json'];

/** Parses each body as one JSON object of the given media types. An empty body of any content type is `{}`. */
export function registerBodyParser(app: FastifyInstance, types: readonly string[] = JSON_TYPES): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (request, body, done) => {
    try {
      if ((body as Buffer).length > 0) refuseCompressed(request);
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
