import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { type JsonObject, parseJson } from '#libs/kernel/json.js';

export interface InnerRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: { readonly [name: string]: string };
  readonly fields?: JsonObject;
  readonly headers?: { readonly [name: string]: string };
  readonly signal?: AbortSignal;
}

export interface InnerResponse {
  readonly status: number;
  readonly body: JsonObject;
  readonly headers: { readonly [name: string]: unknown };
}

const CALLER_HEADERS = ['authorization', 'host', 'x-forwarded-for'] as const;

/** Carries a random name that clients cannot guess. */
const INNER_REQUEST_HEADER = 'x-within';
const disconnectSignals = new Map<string, AbortSignal>();

export const findInnerDisconnectSignal = ({ headers }: Pick<FastifyRequest, 'headers'>): AbortSignal | undefined =>
  disconnectSignals.get(String(headers[INNER_REQUEST_HEADER]));

/** Whether another request of this process sent it. A client can only make its own request look like that. */
export const isInnerRequest = ({ headers }: Pick<FastifyRequest, 'headers'>): boolean =>
  headers[INNER_REQUEST_HEADER] !== undefined;

/**
 * Sends a request to another endpoint of this process on behalf of the caller. It passes all hooks, so authentication,
 * limits, idempotency and payment apply. Errors are returned, not thrown; a body that is not JSON is returned as `{}`.
 */
export async function sendInnerRequest(
  outer: FastifyRequest,
  { method, path, query, fields, headers, signal }: InnerRequest,
): Promise<InnerResponse> {
  const caller = CALLER_HEADERS.flatMap(name => {
    const value = outer.headers[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const name = randomUUID();
  if (signal) disconnectSignals.set(name, signal);
  try {
    const answer = await outer.server.inject({
      method,
      path,
      ...(query && { query }),
      headers: {
        ...Object.fromEntries(caller),
        [INNER_REQUEST_HEADER]: name,
        ...(fields && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(fields && { payload: JSON.stringify(fields) }),
      remoteAddress: outer.socket.remoteAddress ?? '',
    });
    return { status: answer.statusCode, body: (parseJson(answer.body) ?? {}) as JsonObject, headers: answer.headers };
  } finally {
    disconnectSignals.delete(name);
  }
}
