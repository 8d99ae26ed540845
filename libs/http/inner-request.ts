import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { JsonObject } from '#libs/kernel/json.js';

/** What one request of this service asks of another endpoint of it. */
export interface InnerRequest {
  readonly method: 'GET' | 'POST';
  /** From the root, with a slash before it; what stands in it is percent-encoded. */
  readonly path: string;
  readonly query?: { readonly [name: string]: string };
  /** The body of a POST. */
  readonly fields?: JsonObject;
  /** Besides those that say who calls; `authorization` may be another one. */
  readonly headers?: { readonly [name: string]: string };
  /** Whoever has asked has gone. */
  readonly signal?: AbortSignal;
}

export interface InnerResponse {
  readonly status: number;
  readonly body: JsonObject;
  readonly headers: { readonly [name: string]: unknown };
}

/** The headers of a request that say who calls, and from where. */
const OF_CALLER = ['authorization', 'host', 'x-forwarded-for'] as const;

/** Carries the name below, which nobody else can know. */
const INNER_REQUEST_HEADER = 'x-within';
/** Of those whose requests are carried out within another one, when they have gone, by a name. */
const disconnectSignals = new Map<string, AbortSignal>();

/** When the caller of a request that is carried out within another one has gone. */
export const findInnerDisconnectSignal = ({ headers }: Pick<FastifyRequest, 'headers'>): AbortSignal | undefined =>
  disconnectSignals.get(String(headers[INNER_REQUEST_HEADER]));

/**
 * Carries out another request of the service for the caller of this one, in the same process. It goes the whole way
 * that it would go over the network, so authentication, limits, idempotency and payment are those of its endpoint, and
 * no rule exists twice. Refusals are answers, and not thrown; what is no JSON is answered as an empty body.
 */
export async function sendInnerRequest(
  outer: FastifyRequest,
  { method, path, query, fields, headers, signal }: InnerRequest,
): Promise<InnerResponse> {
  const caller = OF_CALLER.flatMap(name => {
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
    return { status: answer.statusCode, body: parseObject(answer.body), headers: answer.headers };
  } finally {
    disconnectSignals.delete(name);
  }
}

function parseObject(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return {};
  }
}
