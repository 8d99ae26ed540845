import { type FetchLike, isJSONRPCRequest, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { PARSE_ERROR } from '#libs/http/json-rpc.js';
import { printError } from '#libs/terminal/print.js';
import { visibleLine } from '#libs/terminal/visible.js';
import { failureOf } from './failure-of-service.js';
import { watchUnread } from './unread-lines.js';
import { answeredBy, cancelledBy, Waiting } from './waiting.js';

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
  const waiting = new Waiting();
  const ask = (request: JSONRPCRequest) =>
    remote.send(request, { requestSignal: waiting.begin(request) }).catch((error: unknown) => {
      const { id } = request;
      if (waiting.end(id)) tell(host, { jsonrpc: '2.0', id, error: failureOf(error) });
    });
  host.onmessage = message => {
    const cancelled = cancelledBy(message);
    if (cancelled) waiting.cancel(cancelled.id);
    else if (isJSONRPCRequest(message)) void ask(message);
    else remote.send(message).catch(() => undefined);
  };
  remote.onmessage = message => {
    const { result } = message as { readonly result?: Members };
    if (typeof result?.['protocolVersion'] === 'string') remote.setProtocolVersion(result['protocolVersion']);
    const answered = answeredBy(message);
    const request = answered && waiting.end(answered.id);
    if (request && isQuickstart(request)) keep(result, joined);
    // An error whose request the service could not tell is for whoever waits.
    if (request || !answered || (answered.id ?? null) === null) tell(host, message);
  };
  await carried(host, remote);
}

/** Until the host has gone. */
async function carried(host: StdioServerTransport, remote: StreamableHTTPClientTransport): Promise<void> {
  const gone = new Promise<void>(resolve => (host.onclose = resolve));
  await remote.start();
  const unwatch = watchUnread(process.stdin, () => tell(host, NO_JSON));
  await host.start();
  await gone;
  unwatch();
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

const isQuickstart = ({ method, params }: JSONRPCRequest): boolean =>
  method === 'tools/call' && params?.['name'] === 'quickstart';

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

/** What a host is told that has sent a line which is no JSON; nobody can say which request it was to be. */
const NO_JSON = { jsonrpc: '2.0', id: null, error: { code: PARSE_ERROR, message: 'This line is no JSON.' } } as const;

/** A host that has gone, which is one that has closed our standard input, is told nothing more. */
function tell(host: StdioServerTransport, message: JSONRPCMessage | typeof NO_JSON): void {
  // JSON-RPC 2.0, section 5: the `id` of such an answer is null, which the SDK's type of a message leaves out.
  host.send(message as JSONRPCMessage).catch(() => undefined);
}
