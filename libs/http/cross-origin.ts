import cors, { type FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '#libs/kernel/refusal.js';
import { isSameOrigin } from './authentication/origin.js';
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

const A2A_PATHS = ['/a2a', '/a2a/*'];

const EVERY_ORIGIN: FastifyCorsOptions = {
  maxAge: PREFLIGHT_SECONDS,
  // A preflight without the headers of a page, as sent by hand, gets the same answer.
  strictPreflight: false,
  origin: '*',
  methods: ['GET', 'POST'],
  // As texts: of lists each answer would make its own.
  allowedHeaders: ALLOWED_HEADERS.join(', '),
  exposedHeaders: EXPOSED_HEADERS.join(', '),
};

/** At A2A, whose clients name its version and delete what they have set. */
const A2A_CORS: FastifyCorsOptions = {
  methods: ['GET', 'POST', 'DELETE'],
  allowedHeaders: [...ALLOWED_HEADERS, 'a2a-version', 'a2a-extensions'],
};

/** What a route at `/mcp` is configured with: an origin that has come as far as that is an allowed one. */
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
 * Lets pages of every origin read and write, and answers their preflight on every path; but at `/mcp` it lets in those
 * of the service's own origin alone, and refuses whoever calls it by a name that is not its own (DNS rebinding).
 */
export async function registerCors(app: FastifyInstance, address: Address): Promise<void> {
  app.addHook('onRequest', (request, reply, done) => {
    const refusal = isMcp(request) ? refusalOf(request, address) : undefined;
    // Not by `done`: the route of all preflights is older than what answers errors.
    if (refusal) void sendFailure(refusal, request, reply);
    else done();
  });
  await app.register(cors, EVERY_ORIGIN);
  app.options(MCP_PATH, { config: MCP_CORS }, rejectPreflight);
  for (const path of A2A_PATHS) app.options(path, { config: { cors: A2A_CORS } }, rejectPreflight);
}

/** A preflight is answered before it comes to its route. */
const rejectPreflight = (_request: FastifyRequest, reply: FastifyReply) => reply.callNotFound();

/** By the route, for a path can be written in many ways; where none takes the method, by the path as it is written. */
const isMcp = (request: FastifyRequest) =>
  request.is404 ? request.url.split('?')[0] === MCP_PATH : settingsOf(request).url === MCP_PATH;

function refusalOf({ headers: { origin }, host }: FastifyRequest, { baseUrl }: Address) {
  const own = new URL(baseUrl);
  const isOwnHost = isSameOrigin(`${own.protocol}//${host}`, own.origin);
  if (isOwnHost && (origin === undefined || isSameOrigin(origin, own.origin))) return undefined;
  return new Refusal('foreign_origin', `Only programs and pages of ${own.origin} are answered here.`);
}
