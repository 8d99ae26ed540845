import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#libs/kernel/refusal.js';
import { isSameOrigin } from './service-address.js';
import { sendFailure } from './send-failure.js';
import { settingsOf } from './routes.js';

const PREFLIGHT_SECONDS = 86_400;

const ALLOWED_HEADERS = [
  'authorization',
  'content-type',
  'payment-signature',
  'x-payment',
  'idempotency-key',
  'min-position',
  'if-none-match',
  'last-event-id',
  // The official x402 client sends this response header with its paid request.
  'access-control-expose-headers',
];

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

/** Closed to pages of other origins: an MCP host on the user's machine holds the user's tokens. */
export const MCP_PATH = '/mcp';
/** Hosts that complete an address often add a slash. */
export const MCP_PATHS: readonly string[] = [MCP_PATH, `${MCP_PATH}/`];

const MCP_HEADERS = ['authorization', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name'];

const A2A_PATHS = ['/a2a', '/a2a/*'];

const EVERY_ORIGIN: FastifyCorsOptions = {
  maxAge: PREFLIGHT_SECONDS,
  strictPreflight: false,
  origin: '*',
  methods: ['GET', 'POST'],
  allowedHeaders: ALLOWED_HEADERS.join(', '),
  exposedHeaders: EXPOSED_HEADERS.join(', '),
};

const A2A_CORS: FastifyCorsOptions = {
  methods: ['GET', 'POST', 'DELETE'],
  allowedHeaders: [...ALLOWED_HEADERS, 'a2a-version', 'a2a-extensions', 'x-a2a-extensions'],
};

/** `registerCors` has already refused every foreign origin at `/mcp`. */
export const MCP_CORS: { readonly cors: FastifyCorsOptions } = {
  cors: {
    origin: (origin, callback) => callback(null, origin ?? false),
    methods: ['POST'],
    allowedHeaders: MCP_HEADERS,
  },
};

interface Address {
  readonly baseUrl: string;
}

/**
 * Lets pages of every origin read and write. At `/mcp` only the service's own origin is allowed, and only under its own
 * host name (against DNS rebinding).
 */
export async function registerCors(app: FastifyInstance, address: Address): Promise<void> {
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = isMcp(request) ? refusalOf(request, address) : undefined;
    // `done(error)` would not reach the error handler: the plugin's preflight route is registered before it.
    if (refusal) void sendFailure(refusal, request, reply);
    else done();
  });
  await app.register(cors, EVERY_ORIGIN);
  for (const path of MCP_PATHS) app.options(path, { config: MCP_CORS }, rejectPreflight);
  for (const path of A2A_PATHS) app.options(path, { config: { cors: A2A_CORS } }, rejectPreflight);
}

const rejectPreflight = (_request: FastifyRequest, reply: FastifyReply) => reply.callNotFound();

/** Compares routes, because a path can be spelled in many ways. Without a route, compares the path as sent. */
const isMcp = (request: FastifyRequest) =>
  MCP_PATHS.includes((request.is404 ? request.url.split('?')[0] : settingsOf(request).url)!);

function refusalOf({ headers: { origin }, host }: FastifyRequest, { baseUrl }: Address) {
  const service = new URL(baseUrl);
  const isOwnHost = isSameOrigin(`${service.protocol}//${host}`, service.origin);
  if (isOwnHost && (origin === undefined || isSameOrigin(origin, service.origin))) return undefined;
  return new Refusal('foreign_origin', `Only pages of ${service.origin} and programs may call this endpoint.`);
}
