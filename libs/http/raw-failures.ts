import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#libs/kernel/refusal.js';
import { EXPOSED_HEADERS } from './cross-origin.js';
import { type Failure, buildFailure } from './failure.js';

/** Maximum length of an encoded path value. The longest name has 40 characters of up to 12 each. */
export const PATH_VALUE_CHARACTERS_MAX = 512;

/** Adds the headers that hooks would add: no hook runs for these failures. */
function serialiseFailure({ headers, body }: Failure) {
  const text = JSON.stringify(body);
  const defaults = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    'access-control-allow-origin': '*',
    'access-control-expose-headers': EXPOSED_HEADERS.join(', '),
    'x-request-id': randomUUID(),
  };
  return { text, headers: { ...defaults, ...headers } };
}

export function refuseUnrouted(error: Error, request: FastifyRequest, reply: FastifyReply): void {
  const failure = buildFailure(error, (cause, errorId) =>
    request.log.error({ err: cause, error_id: errorId }, 'request failed'),
  );
  const { text, headers } = serialiseFailure(failure);
  reply.raw.writeHead(failure.status, headers).end(text);
}

export function refuseUnparsed(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const failure = buildFailure(translateParserError(error.code), () => undefined);
  const { text, headers } = serialiseFailure(failure);
  const lines = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${failure.status} ${STATUS_CODES[failure.status]}`;
  socket.end([status, ...lines, '', text].join('\r\n'));
}

function translateParserError(code: string | undefined): Refusal {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new Refusal('headers_too_large', 'Request line and headers are larger than 16 KiB.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Refusal('request_timeout', 'The request did not arrive in time.');
    default:
      return new Refusal('http', 'The request is not valid HTTP/1.1.');
  }
}
