import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Refusal } from '#libs/kernel/refusal.js';
import { isSameOrigin } from './authentication/origin.js';
import { sendFailure } from './failing.js';

const PREFLIGHT_SECONDS = 86_400;

const ALLOWED_HEADERS = [
  'authorization',
  'content-type',
  'payment-signature',
  'x-payment',
  'idempotency-key',
  'min-position',
];

/** The headers of an answer that a page of another origin may read. */
export const EXPOSED_HEADERS = [
  'payment-required',
  'payment-response',
  'x-payment-response',
  'event-position',
  'etag',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'x-request-id',
];

/** The one path that pages of other origins may not use: a model's host on somebody's machine has that one's tokens. */
export const MCP_PATH = '/mcp';

const MCP_HEADERS = ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

const COMMON = {
  maxAge: PREFLIGHT_SECONDS,
  // A preflight without the headers of a page, as sent by hand, gets the same answer.
  strictPreflight: false,
};
const EVERY_ORIGIN: FastifyCorsOptions = {
  ...COMMON,
  origin: '*',
  methods: ['GET', 'POST'],
  allowedHeaders: ALLOWED_HEADERS,
  exposedHeaders: EXPOSED_HEADERS,
};

/** At A2A, whose clients name its version and delete what they have set. */
const AT_A2A: FastifyCorsOptions = {
  ...EVERY_ORIGIN,
  methods: ['GET', 'POST', 'DELETE'],
  allowedHeaders: [...ALLOWED_HEADERS, 'a2a-version', 'a2a-extensions'],
};

interface Address {
  readonly baseUrl: string;
}

/**
 * Lets pages of every origin read and write, and answers their preflight on every path; but at `/mcp` it lets in those
 * of the service's own origin alone, and refuses whoever calls it by a name that is not its own (DNS rebinding).
 */
export async function allowOrigins(app: FastifyInstance, address: Address): Promise<void> {
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = isMcp(request) ? refusalOf(request, address) : undefined;
    // Not by `done`: the route of all preflights is older than what answers errors.
    if (refusal) void sendFailure(refusal, request, reply);
    else done();
  });
  await app.register(cors, {
    delegator: (request: FastifyRequest, callback: (error: null, options: FastifyCorsOptions) => void) =>
      callback(null, isMcp(request) ? ownOrigin(request) : isA2a(request) ? AT_A2A : EVERY_ORIGIN),
  });
}

/** By the route, for a path can be written in many ways; a preflight has no route of its own. */
const isMcp = ({ method, url, routeOptions }: FastifyRequest) =>
  routeOptions.url === MCP_PATH || (method === 'OPTIONS' && url.split('?', 1)[0] === MCP_PATH);

const isA2a = ({ url }: FastifyRequest) => /^\/a2a(?:[/?]|$)/.test(url);

/** An origin that has come here is an allowed one. */
const ownOrigin = ({ headers: { origin } }: FastifyRequest): FastifyCorsOptions => ({
  ...COMMON,
  origin: origin ?? false,
  methods: ['POST'],
  allowedHeaders: MCP_HEADERS,
  exposedHeaders: EXPOSED_HEADERS,
});

function refusalOf({ headers: { origin }, host }: FastifyRequest, { baseUrl }: Address) {
  const own = new URL(baseUrl);
  const isOwnHost = isSameOrigin(`${own.protocol}//${host}`, own.origin);
  if (isOwnHost && (origin === undefined || isSameOrigin(origin, own.origin))) return undefined;
  return new Refusal('foreign_origin', `Only programs and pages of ${own.origin} are answered here.`);
}
