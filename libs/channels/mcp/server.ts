import {
  type AuthInfo,
  type CallToolRequest,
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  type McpHttpHandler,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import { buildFailure as failureBodyOf } from '#libs/http/failure.js';
import { VERSION } from '#libs/kernel/version.js';
import { toRequest } from './arguments.js';
import { MCP_NAME } from './server-card.js';
import { REQUEST_SENDER, type RequestSender } from './request-sender.js';
import { ACCEPT_BOTH, formatResponse } from './response-format.js';
import { describeTools } from './tool-descriptions.js';
import { INSTRUCTIONS } from './instructions.js';
import { LEGACY_SHAPES, MODERN_SHAPES, checkShape } from './request-shape.js';
import { toFailureResult, PAYMENT, toToolResult } from './results.js';
import type { Tool } from './tool.js';

/** Clients may cache the list of tools: it only changes with the software. */
const LIST_TTL_MS = 3_600_000;
/** Maximum number of open change streams. The list of tools never changes, so they carry nothing. */
const SUBSCRIPTIONS_MAX = 16;

export interface ToolDependencies {
  readonly tools: ReadonlyMap<string, Tool>;
  /** Logs an internal error with the id that the caller gets. */
  readonly report: (error: unknown, errorId: string) => void;
}

/** Serves both protocol versions, without state between requests. */
export function mcpHandler(dependencies: ToolDependencies): Pick<McpHttpHandler, 'fetch' | 'close'> {
  const list = { tools: describeTools(dependencies.tools) };
  const serverFor = (authInfo: AuthInfo | undefined) => {
    const server = new Server({ name: MCP_NAME, title: 'Agent Job Network', version: VERSION }, OPTIONS);
    const send = authInfo?.extra?.[REQUEST_SENDER] as RequestSender;
    server.setRequestHandler('tools/list', () => list);
    server.setRequestHandler('tools/call', ({ params }) => callTool(params, send, dependencies));
    return server;
  };
  const modern = createMcpHandler(({ authInfo }) => serverFor(authInfo), MODERN_OPTIONS);
  const fetch: McpHttpHandler['fetch'] = async (request, options) => {
    const isLegacy = await isLegacyRequest(request, options?.parsedBody);
    const refusal = checkShape(options?.parsedBody, isLegacy ? LEGACY_SHAPES : MODERN_SHAPES);
    if (refusal) return Response.json(refusal);
    if (!isLegacy) return modern.fetch(request, options);
    const server = serverFor(options?.authInfo);
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, options);
    } finally {
      await server.close();
    }
  };
  return {
    fetch: async (request, options) => {
      const accept = request.headers.get('accept') ?? undefined;
      request.headers.set('accept', ACCEPT_BOTH);
      return formatResponse(accept, await fetch(request, options));
    },
    close: modern.close,
  };
}

const MODERN_OPTIONS = { legacy: 'reject', maxSubscriptions: SUBSCRIPTIONS_MAX, onerror: () => undefined } as const;

const OPTIONS = {
  capabilities: { tools: {} },
  instructions: INSTRUCTIONS,
  cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'public' } },
} as const;

/** Throws only for an unknown tool; every other failure is a result. */
async function callTool(
  { name, arguments: args = {}, _meta }: CallToolRequest['params'],
  send: RequestSender,
  { tools, report }: ToolDependencies,
): Promise<CallToolResult> {
  const tool = tools.get(name);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}. Call tools/list.`);
  try {
    return toToolResult(tool, await send(toRequest(tool, args, _meta?.[PAYMENT])), tools);
  } catch (error) {
    return toFailureResult(failureBodyOf(error, report).body, tools);
  }
}
