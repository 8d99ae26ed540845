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

/** How long a client may keep the list of tools: it changes with the software alone. */
const LIST_TTL_MS = 3_600_000;
/** How many streams of changes are open at once. Nothing is ever told by them. */
const SUBSCRIPTIONS_MAX = 16;

/** What a process gives to the tools. */
export interface ToolDependencies {
  readonly tools: ReadonlyMap<string, Tool>;
  /** Is told of what went wrong inside, with the id that the caller gets. */
  readonly report: (error: unknown, errorId: string) => void;
}

/** Answers requests of both generations of the protocol, each by itself: nothing is kept from one to the next. */
export function mcpHandler(dependencies: ToolDependencies): Pick<McpHttpHandler, 'fetch' | 'close'> {
  const list = { tools: describeTools(dependencies.tools) };
  const serverFor = (authInfo: AuthInfo | undefined) => {
    const server = new Server({ name: MCP_NAME, title: 'Agent Job Network', version: VERSION }, OPTIONS);
    const carryOut = authInfo?.extra?.[REQUEST_SENDER] as RequestSender;
    server.setRequestHandler('tools/list', () => list);
    server.setRequestHandler('tools/call', ({ params }) => callTool(params, carryOut, dependencies));
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

/** Nothing is thrown to the caller but that there is no such tool: whatever else fails is a result. */
async function callTool(
  { name, arguments: sent = {}, _meta }: CallToolRequest['params'],
  carryOut: RequestSender,
  { tools, report }: ToolDependencies,
): Promise<CallToolResult> {
  const tool = tools.get(name);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
  try {
    return toToolResult(tool, await carryOut(toRequest(tool, sent, _meta?.[PAYMENT])), tools);
  } catch (error) {
    return toFailureResult(failureBodyOf(error, report).body, tools);
  }
}
