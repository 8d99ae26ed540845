import type { FastifyInstance } from 'fastify';
import { AT_MCP, MCP_PATH } from '#libs/http/cross-origin.js';
import { goneOf } from '#libs/http/gone.js';
import type { Limiting } from '#libs/http/limiting/limiting.js';
import { requestWithin } from '#libs/http/request-within.js';
import type { Routes } from '#libs/http/routes.js';
import { CARRY_OUT, type CarryOut } from './carry-out.js';
import { refuse } from './refusing.js';
import type { ToolDependencies } from './server.js';
import { type Tool, toolsOf } from './tool.js';

/** What the SDK hands on to whoever answers a call; nobody is known by it here, for a route looks at its token itself. */
const NOBODY = { token: '', clientId: '', scopes: [] };

/**
 * Answers MCP at `/mcp`, each tool by a request to the routes of the same application. What is no call counts as one
 * read of its address; a call counts as its route does. `limiting` is null where nothing is limited.
 */
export function mountMcp(app: FastifyInstance, routes: Routes, limiting: Limiting | null): void {
  const tools = toolsOf(routes);
  const report = (error: unknown, errorId: string) => app.log.error({ err: error, error_id: errorId }, 'a tool failed');
  let loading: ReturnType<typeof load> | undefined;
  app.addHook('onClose', async () => (await loading)?.mcp.close());
  // Of its own, for the application learns only later how failures are answered.
  app.post(MCP_PATH, { config: AT_MCP, errorHandler: refuse }, async (request, reply) => {
    const refusal = isCall(request.body, tools) ? undefined : limiting?.countAsRead(request, reply);
    if (refusal) throw refusal;
    const { mcp, toWebRequest } = await (loading ??= load({ tools, report }));
    const gone = goneOf(reply);
    const carryOut: CarryOut = within => requestWithin(request, { ...within, signal: gone });
    const asked = await toWebRequest(request.raw, request.body, { signal: gone });
    const authInfo = { ...NOBODY, extra: { [CARRY_OUT]: carryOut } };
    return reply.send(await mcp.fetch(asked, { parsedBody: request.body, authInfo }));
  });
}

/** The libraries of the protocol are loaded by the first request. */
async function load(dependencies: ToolDependencies) {
  const { mcpHandler } = await import('./server.js');
  const { toWebRequest } = await import('@modelcontextprotocol/node');
  return { mcp: mcpHandler(dependencies), toWebRequest };
}

function isCall(body: unknown, tools: ReadonlyMap<string, Tool>): boolean {
  const { method, params } = body as { readonly method?: unknown; readonly params?: unknown };
  const { name, arguments: sent = {} } = (params ?? {}) as { readonly name?: unknown; readonly arguments?: unknown };
  const isReadable = typeof sent === 'object' && sent !== null && !Array.isArray(sent);
  return method === 'tools/call' && typeof name === 'string' && tools.has(name) && isReadable;
}
