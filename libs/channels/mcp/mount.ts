import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MCP_CORS, MCP_PATH } from '#libs/http/cross-origin.js';
import { getDisconnectSignal } from '#libs/http/client-disconnect.js';
import type { RequestRateLimiter } from '#libs/http/limiting/request-rate-limiter.js';
import { sendInnerRequest } from '#libs/http/inner-request.js';
import type { Routes } from '#libs/http/routes.js';
import { REQUEST_SENDER, type RequestSender } from './request-sender.js';
import { bodyRefusalHandler } from './body-refusal.js';
import type { ToolDependencies } from './server.js';
import { buildTools } from './tool.js';

/** Fills the SDK's context of a call. It names no caller, because each route reads the token itself. */
const NO_CALLER = { token: '', clientId: '', scopes: [] };

/**
 * Answers MCP at `/mcp`, each tool by a request to the routes of the same application. A call counts as its route does,
 * and every other message as one read of its address. `limiting` is null where nothing is limited.
 */
export function mountMcp(app: FastifyInstance, routes: Routes, limiting: RequestRateLimiter | null): void {
  const tools = buildTools(routes);
  const report = (error: unknown, errorId: string) => {
    if (!app.outages.isOutage(error)) app.log.error({ err: error, error_id: errorId }, 'a tool failed');
  };
  let loading: ReturnType<typeof loadHandler> | undefined;
  app.addHook('onClose', async () => (await loading)?.mcp.close());
  const countAsRead = (request: FastifyRequest, reply: FastifyReply): void => {
    const refusal = limiting?.countAsRead(request, reply);
    if (refusal) throw refusal;
  };
  // The application learns only later how failures are answered, so the route has a handler of its own.
  const errorHandler = bodyRefusalHandler(countAsRead);
  app.post(MCP_PATH, { config: MCP_CORS, errorHandler }, async (request, reply) => {
    const { method } = (request.body ?? {}) as { readonly method?: unknown };
    const isCall = method === 'tools/call';
    if (!isCall) countAsRead(request, reply);
    // A call takes the memory of its route.
    if (method === 'tools/list') await app.answerMemory.beginLarge(request, reply);
    const { mcp, toWebRequest } = await (loading ??= loadHandler({ tools, report }));
    const gone = getDisconnectSignal(reply);
    let isCarriedOut = false;
    const carryOut: RequestSender = within => {
      isCarriedOut = true;
      return sendInnerRequest(request, { ...within, signal: gone });
    };
    const asked = await toWebRequest(request.raw, request.body, { signal: gone });
    const authInfo = { ...NO_CALLER, extra: { [REQUEST_SENDER]: carryOut } };
    const answer = await mcp.fetch(asked, { parsedBody: request.body, authInfo });
    if (isCall && !isCarriedOut) countAsRead(request, reply);
    if (!isCall && method !== 'tools/list') return reply.send(answer);
    // Sent as text, so that its memory counts until the caller has read it.
    answer.headers.forEach((value, name) => void reply.header(name, value));
    return reply.code(answer.status).send(await answer.text());
  });
}

/** The libraries of the protocol are loaded by the first request. */
async function loadHandler(dependencies: ToolDependencies) {
  const { mcpHandler } = await import('./server.js');
  const { toWebRequest } = await import('@modelcontextprotocol/node');
  return { mcp: mcpHandler(dependencies), toWebRequest };
}
