import { setTimeout as pause } from 'node:timers/promises';
import {
  type FetchLike,
  isJSONRPCRequest,
  parseJSONRPCMessage,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { INVALID_REQUEST, PARSE_ERROR } from '#libs/http/json-rpc.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { printError } from '#libs/terminal/print.js';
import { escapeLine } from '#libs/terminal/escape-controls.js';
import { toRpcError } from './rpc-failure.js';
import { readLines } from './input-lines.js';
import { answeredRequest, cancelledRequest, PendingRequests } from './pending-requests.js';

/** How long requests may take that were sent before the host closed the input. */
const DRAIN_MS = 10 * SECOND_MS;

type Members = { readonly [name: string]: unknown };

export interface BridgeOptions {
  /** Where the service answers, without a slash at its end. */
  readonly service: string;
  /** The agent's token as it is by now. */
  readonly token: () => string | undefined;
  /** Is told of each identity that a call of `quickstart` has made. What it throws is said, and stops nothing. */
  readonly onJoined: (museId: string, token: string) => void;
}

/**
 * Carries messages between a host on standard input and output and the service's `/mcp`, as they are, until the host
 * has gone; the agent's token goes with each request, so that no model has to keep it.
 */
export async function bridge({ service, token, onJoined: joined }: BridgeOptions): Promise<void> {
  const remote = new StreamableHTTPClientTransport(new URL(`${service}/mcp`), { fetch: withBearerToken(token) });
  const waiting = new PendingRequests();
  const notifications: Promise<void>[] = [];
  const ask = (request: JSONRPCRequest) =>
    remote.send(request, { requestSignal: waiting.add(request) }).catch((error: unknown) => {
      const { id } = request;
      if (waiting.remove(id)) writeMessage({ id, error: toRpcError(error) });
    });
  remote.onmessage = message => {
    const { result } = message as { readonly result?: Members };
    if (typeof result?.['protocolVersion'] === 'string') remote.setProtocolVersion(result['protocolVersion']);
    const answered = answeredRequest(message);
    const request = answered && waiting.remove(answered.id);
    if (request && isQuickstart(request)) reportJoined(result, joined);
    // An error whose request the service could not tell is for whoever waits.
    if (request || !answered || (answered.id ?? null) === null) writeMessage(message);
  };
  await remote.start();
  const gone = new AbortController();
  process.stdout.on('error', () => gone.abort());
  await readLines(process.stdin, gone.signal, line => {
    const message = parseMessage(line);
    const cancelled = message && cancelledRequest(message);
    if (cancelled) waiting.cancel(cancelled.id);
    else if (isJSONRPCRequest(message)) void ask(message);
    else if (message) notifications.push(remote.send(message).catch(() => undefined));
  });
  const sent = Promise.all([waiting.whenIdle(), ...notifications]);
  if (!gone.signal.aborted) await Promise.race([sent, pause(DRAIN_MS, undefined, { ref: false })]);
  await remote.close();
}

/** The message in a line of the host; null for an empty line, and for one that is refused. */
function parseMessage(line: string): JSONRPCMessage | null {
  if (line.trim() === '') return null;
  try {
    return parseJSONRPCMessage(JSON.parse(line));
  } catch (error) {
    writeMessage(error instanceof SyntaxError ? { id: null, error: NO_JSON } : { id: readId(line), error: NO_MESSAGE });
    return null;
  }
}

const withBearerToken =
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
function reportJoined(result: Members | undefined, joined: BridgeOptions['onJoined']): void {
  const { muse_id: museId, token } = (result?.['structuredContent'] ?? {}) as Members;
  if (typeof museId !== 'string' || typeof token !== 'string') return;
  try {
    joined(museId, token);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    printError(escapeLine(`The token of ${museId} is not kept, and stands in the answer of quickstart alone: ${why}`));
  }
}

const NO_JSON = { code: PARSE_ERROR, message: 'This line is not JSON.' };
const NO_MESSAGE = { code: INVALID_REQUEST, message: 'This line is not a message of JSON-RPC 2.0.' };

/** JSON-RPC 2.0, section 5: null where it cannot be read. */
function readId(line: string): string | number | null {
  const { id } = (JSON.parse(line) ?? {}) as Members;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

const writeMessage = (message: object) =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
