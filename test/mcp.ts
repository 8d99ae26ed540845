import { request } from 'node:http';
import type { JsonObject } from '#libs/kernel/json.js';
import type { HeaderFields } from './raw-agent.js';

const MODERN = '2026-07-28';
const PREFIX = 'io.modelcontextprotocol';

export interface ToolResult {
  readonly isError?: boolean;
  readonly structuredContent: JsonObject;
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly _meta?: JsonObject;
}

export interface McpReply {
  readonly status: number;
  readonly headers: { readonly [name: string]: unknown };
  readonly body: JsonObject;
}

/** Sends one request to `/mcp` without the defaults of a client library. */
export function sendMcp(url: string, body: string, headers: HeaderFields = {}, path = '/mcp', method = 'POST') {
  const { hostname, port } = new URL(url);
  return new Promise<McpReply>((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, answer => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.on('error', reject);
      answer.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        resolve({ status: answer.statusCode!, headers: answer.headers, body: parseJson(text) });
      });
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

function parseJson(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return {};
  }
}

export function modernRequest(method: string, params: JsonObject = {}): readonly [body: string, headers: HeaderFields] {
  const _meta = {
    ...(params['_meta'] as JsonObject | undefined),
    [`${PREFIX}/protocolVersion`]: MODERN,
    [`${PREFIX}/clientCapabilities`]: {},
    [`${PREFIX}/clientInfo`]: { name: 'a test', version: '1' },
  };
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': MODERN,
    'mcp-method': method,
    ...(typeof params['name'] === 'string' && { 'mcp-name': params['name'] }),
  };
  return [JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }), headers];
}

/** Calls a tool; `meta` is added to the metadata of the protocol. */
export async function callTool(
  url: string,
  name: string,
  args: JsonObject = {},
  { headers = {}, meta }: { readonly headers?: HeaderFields; readonly meta?: JsonObject } = {},
): Promise<ToolResult> {
  const [body, own] = modernRequest('tools/call', { name, arguments: args, ...(meta && { _meta: meta }) });
  const reply = await sendMcp(url, body, { ...own, ...headers });
  if (reply.body['result'] === undefined) throw new Error(`${reply.status} ${JSON.stringify(reply.body)}`);
  return reply.body['result'] as unknown as ToolResult;
}

export interface ListedTool {
  readonly name: string;
  readonly inputSchema: { readonly properties: JsonObject; readonly required?: readonly string[] };
}

export async function listTools(url: string): Promise<readonly ListedTool[]> {
  const { body } = await sendMcp(url, ...modernRequest('tools/list'));
  return (body['result'] as unknown as { readonly tools: readonly ListedTool[] }).tools;
}
