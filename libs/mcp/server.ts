import { createMcpHandler, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server';
import type { CallToolRequest, CallToolResult, McpHttpHandler } from '@modelcontextprotocol/server';
import { failureOf as failureBodyOf } from '#libs/http/failure.js';
import { VERSION } from '#libs/kernel/version.js';
import { requestOf } from './arguments.js';
import { MCP_NAME } from './card.js';
import { CARRY_OUT, type CarryOut } from './carry-out.js';
import { listed } from './descriptions.js';
import { INSTRUCTIONS } from './instructions.js';
import { failureOf, PAYMENT, resultOf } from './results.js';
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
export function mcpHandler(dependencies: ToolDependencies): McpHttpHandler {
  const list = { tools: listed(dependencies.tools) };
  return createMcpHandler(
    ({ authInfo }) => {
      const server = new Server({ name: MCP_NAME, title: 'Agent Job Network', version: VERSION }, OPTIONS);
      const carryOut = authInfo?.extra?.[CARRY_OUT] as CarryOut;
      server.setRequestHandler('tools/list', () => list);
      server.setRequestHandler('tools/call', ({ params }) => call(params, carryOut, dependencies));
      return server;
    },
    { maxSubscriptions: SUBSCRIPTIONS_MAX, onerror: () => undefined },
  );
}

const OPTIONS = {
  capabilities: { tools: {} },
  instructions: INSTRUCTIONS,
  cacheHints: { 'tools/list': { ttlMs: LIST_TTL_MS, cacheScope: 'public' } },
} as const;

/** Nothing is thrown to the caller but that there is no such tool: whatever else fails is a result. */
async function call(
  { name, arguments: sent = {}, _meta }: CallToolRequest['params'],
  carryOut: CarryOut,
  { tools, report }: ToolDependencies,
): Promise<CallToolResult> {
  const tool = tools.get(name);
  if (!tool) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool.');
  try {
    return resultOf(tool, await carryOut(requestOf(tool, sent, _meta?.[PAYMENT])), tools);
  } catch (error) {
    return failureOf(failureBodyOf(error, report).body, tools);
  }
}
