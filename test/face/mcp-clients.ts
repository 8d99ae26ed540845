import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const INFO = { name: 'a test', version: '1' };

export type Arguments = { readonly [name: string]: unknown };

/** The result of a tool, independent of the client version. */
export interface Result {
  readonly isError?: boolean;
  readonly structuredContent?: { readonly [name: string]: unknown };
  readonly content: readonly { readonly type: string; readonly text?: string }[];
  readonly _meta?: { readonly [name: string]: unknown };
}

/** A connected client from the view of a host. */
export interface Host {
  tools(): Promise<readonly ListedTool[]>;
  call(name: string, args?: Arguments, meta?: Arguments): Promise<Result>;
  instructions(): string | undefined;
  close(): Promise<void>;
}

export interface ListedTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: { readonly properties?: object; readonly required?: readonly string[] };
  readonly outputSchema?: object;
  readonly annotations?: { readonly [hint: string]: unknown };
}

export type Connect = (url: string, token?: string) => Promise<Host>;

const headersOf = (token: string | undefined) =>
  token === undefined ? {} : { requestInit: { headers: { authorization: `Bearer ${token}` } } };

export const withOldClient: Connect = async (url, token) => {
  const client = new OldClient(INFO);
  const transport = new OldTransport(new URL(`${url}/mcp`), headersOf(token));
  await client.connect(transport);
  return hostOf(client);
};

export const withModernClient = (pin?: string): Connect => {
  return async (url, token) => {
    const client = new ModernClient(INFO, pin === undefined ? {} : { versionNegotiation: { mode: { pin } } });
    await client.connect(new ModernTransport(new URL(`${url}/mcp`), headersOf(token)));
    return hostOf(client);
  };
};

/** Every official client for each generation of the protocol. */
export const CLIENTS: readonly (readonly [name: string, connect: Connect])[] = [
  ['the client of version 1', withOldClient],
  ['the client of version 2, in the older generation', withModernClient()],
  ['the client of version 2, in that of 2026-07-28', withModernClient('2026-07-28')],
];

/** The common methods of all clients. */
export interface Connected {
  listTools(): Promise<{ readonly tools: readonly ListedTool[] }>;
  callTool(params: object): Promise<unknown>;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

export const hostOf = (client: Connected): Host => ({
  tools: async () => (await client.listTools()).tools,
  call: async (name, args = {}, meta) =>
    (await client.callTool({ name, arguments: args, ...(meta && { _meta: meta }) })) as Result,
  instructions: () => client.getInstructions(),
  close: () => client.close(),
});
