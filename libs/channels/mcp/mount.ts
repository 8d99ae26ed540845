import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MCP_CORS, MCP_PATHS } from '#libs/http/cross-origin.js';
import { buildFailure } from '#libs/http/failure.js';
import { sendInnerRequest } from '#libs/http/inner-request.js';
import { InvalidJson } from '#libs/http/json-body.js';
import { INVALID_REQUEST, PARSE_ERROR } from '#libs/http/json-rpc.js';
import type { RequestRateLimiter } from '#libs/http/limiting/request-rate-limiter.js';
import { getDisconnectSignal } from '#libs/http/long-responses.js';
import { JSON_TYPE } from '#libs/http/response-headers.js';
import type { Routes } from '#libs/http/routes.js';
import { sendFailure } from '#libs/http/send-failure.js';
import { REQUEST_SENDER, type RequestSender, buildTools } from './tool.js';
import type { ToolDependencies } from './server.js';

/** The SDK requires an identity. Each route authenticates the token itself. */
const NO_CALLER = { token: '', clientId: '', scopes: [] };

/**
 * Serves MCP. A tool call counts towards the limits of its route, every other message as one read. `limiting` is null
 * if nothing is limited.
 */
export function mountMcp(app: FastifyInstance, routes: Routes, limiting: RequestRateLimiter | null): void {
  const tools = buildTools(routes);
  const report = (error: unknown, errorId: string) => {
    if (!app.isOutage(error)) app.log.error({ err: error, error_id: errorId }, 'a tool failed');
  };
  let loading: ReturnType<typeof loadHandler> | undefined;
  app.addHook('onClose', async () => (await loading)?.mcp.close());
  const countAsRead = (request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = limiting?.countAsRead(request, reply);
    if (refusal) throw refusal;
  };
  // The application's error handler is set later, so the route brings its own.
  const errorHandler = bodyRefusalHandler(countAsRead);
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const { method } = (request.body ?? {}) as { readonly method?: unknown };
    const isCall = method === 'tools/call';
    if (!isCall) countAsRead(request, reply);
    // A tool call reserves memory through its route.
    if (method === 'tools/list') await app.answerMemory.beginLarge(request, reply);
    const { mcp, toWebRequest } = await (loading ??= loadHandler({ tools, report }));
    const disconnected = getDisconnectSignal(reply);
    let isSent = false;
    const send: RequestSender = innerRequest => {
      isSent = true;
      return sendInnerRequest(request, { ...innerRequest, signal: disconnected });
    };
    const webRequest = await toWebRequest(request.raw, request.body, { signal: disconnected });
    const authInfo = { ...NO_CALLER, extra: { [REQUEST_SENDER]: send } };
    const answer = await mcp.fetch(webRequest, { parsedBody: request.body, authInfo });
    if (isCall && !isSent) countAsRead(request, reply);
    if (!isCall && method !== 'tools/list') return reply.send(answer);
    // Sent as text, so that its memory stays reserved until the client has read it.
    answer.headers.forEach((value, name) => void reply.header(name, value));
    return reply.code(answer.status).send(await answer.text());
  };
  for (const path of MCP_PATHS) app.post(path, { config: MCP_CORS, errorHandler }, handle);
}

/** Loads the MCP libraries at the first request, which keeps the start fast. */
async function loadHandler(dependencies: ToolDependencies) {
  const { mcpHandler } = await import('./server.js');
  const { toWebRequest } = await import('@modelcontextprotocol/node');
  return { mcp: mcpHandler(dependencies), toWebRequest };
}

const BODY_ERROR_CODES: ReadonlySet<unknown> = new Set(['body', 'body_too_large', 'content_type']);

type Count = (request: FastifyRequest, reply: FastifyReply) => void;

/**
 * Answers a refused body with a JSON-RPC error whose `data` is the failure of the REST interface, and other failures as
 * REST. `count` throws after too many refused bodies.
 */
const bodyRefusalHandler =
  (count: Count) =>
  (error: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const { status, headers, body } = buildFailure(error, () => undefined);
    if (!BODY_ERROR_CODES.has(body['code'])) return void sendFailure(error, request, reply);
    try {
      count(request, reply);
    } catch (refusal) {
      return void sendFailure(refusal, request, reply);
    }
    const code = error instanceof InvalidJson ? PARSE_ERROR : INVALID_REQUEST;
    const answer = { jsonrpc: '2.0', id: null, error: { code, message: body['error'], data: body } };
    // Fastify would close the connection of a large body while the client still sends it: the client would lose the
    // answer.
    void reply
      .removeHeader('connection')
      .status(status)
      .headers({ ...headers, 'content-type': JSON_TYPE });
    void reply.send(JSON.stringify(answer));
  };
