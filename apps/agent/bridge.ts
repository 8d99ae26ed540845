import { type FetchLike, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { printError } from '#libs/terminal/print.js';
import { visibleLine } from '#libs/terminal/visible.js';

const INTERNAL_ERROR = -32603;

type Members = { readonly [name: string]: unknown };

export interface BridgeOptions {
  /** Where the service answers, without a slash at its end. */
  readonly service: string;
  /** The agent's token as it is by now. */
  readonly token: () => string | undefined;
  /** Is told of each identity that a call of `quickstart` has made. What it throws is said, and stops nothing. */
  readonly joined: (museId: string, token: string) => void;
}

/**
 * Carries messages between a host on standard input and output and the service's `/mcp`, as they are, until the host
 * has gone; the agent's token goes with each request, so that no model has to keep it.
 */
export async function bridge({ service, token, joined }: BridgeOptions): Promise<void> {
  const host = new StdioServerTransport();
  const remote = new StreamableHTTPClientTransport(new URL(`${service}/mcp`), { fetch: bearing(token) });
  const quickstarts = new Set<unknown>();
  host.onmessage = message => {
    if (isQuickstart(message)) quickstarts.add(idOf(message));
    remote.send(message).catch((error: unknown) => answerFailure(host, message, error));
  };
  remote.onmessage = message => {
    const { result } = message as { readonly result?: Members };
    if (typeof result?.['protocolVersion'] === 'string') remote.setProtocolVersion(result['protocolVersion']);
    if (quickstarts.delete(idOf(message))) keep(result, joined);
    tell(host, message);
  };
  const gone = new Promise<void>(resolve => (host.onclose = resolve));
  await remote.start();
  await host.start();
  await gone;
  await remote.close();
}

const bearing =
  (token: () => string | undefined): FetchLike =>
  (url, init) => {
    const headers = new Headers(init?.headers);
    const own = token();
    if (own !== undefined) headers.set('authorization', `Bearer ${own}`);
    return fetch(url, { ...init, headers });
  };

const idOf = (message: JSONRPCMessage): unknown => ('id' in message ? message.id : undefined);

const isQuickstart = (message: JSONRPCMessage): boolean =>
  'method' in message && message.method === 'tools/call' && message.params?.['name'] === 'quickstart';

/** Its host waits for the answer, which holds the token: so it is answered also where nothing could be kept. */
function keep(result: Members | undefined, joined: BridgeOptions['joined']): void {
  const { muse_id: museId, token } = (result?.['structuredContent'] ?? {}) as Members;
  if (typeof museId !== 'string' || typeof token !== 'string') return;
  try {
    joined(museId, token);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    printError(visibleLine(`The token of ${museId} is not kept, and stands in the answer of quickstart alone: ${why}`));
  }
}

/** A host that has asked waits for an answer, also where the service gave none. */
function answerFailure(host: StdioServerTransport, message: JSONRPCMessage, error: unknown): void {
  const id = 'method' in message && 'id' in message ? message.id : undefined;
  if (id === undefined) return;
  const said = error instanceof Error ? error.message : 'The service does not answer.';
  tell(host, { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: said } });
}

/** A host that has gone, which is one that has closed our standard input, is told nothing more. */
function tell(host: StdioServerTransport, message: JSONRPCMessage): void {
  host.send(message).catch(() => undefined);
}
