import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type FetchLike,
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  parseJSONRPCMessage,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { JSONRPCErrorResponse, JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';
import { INVALID_REQUEST, PARSE_ERROR, SERVER_ERROR } from '#libs/http/json-rpc.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { printError, escapeLine } from '#libs/terminal/print.js';

/** Time for requests that were sent before the host closed the input. */
const DRAIN_MS = 10 * SECOND_MS;
const NO_JSON = { code: PARSE_ERROR, message: 'This line is not JSON.' };
const NO_MESSAGE = { code: INVALID_REQUEST, message: 'This line is not a message of JSON-RPC 2.0.' };
/** JSON-RPC 2.0, section 5.1: internal error. */
const INTERNAL_ERROR = -32603;

type Members = { readonly [name: string]: unknown };

export interface BridgeOptions {
  /** Address of the service without a trailing slash. */
  readonly service: string;
  /** Current token of the agent. */
  readonly token: () => string | undefined;
  /** Called for each identity that `quickstart` creates. Errors are printed and stop nothing. */
  readonly onJoined: (museId: string, token: string) => void;
}

/**
 * Forwards messages between a host on standard input and output and the service's `/mcp` until the host ends. Adds the
 * agent's token to each request, so that no model has to keep it.
 */
export async function bridge({ service, token, onJoined }: BridgeOptions): Promise<void> {
  const remote = new StreamableHTTPClientTransport(new URL(`${service}/mcp`), { fetch: withBearerToken(token) });
  const pending = new PendingRequests();
  const notifications: Promise<void>[] = [];
  const ask = (request: JSONRPCRequest) =>
    remote.send(request, { requestSignal: pending.add(request) }).catch((error: unknown) => {
      const { id } = request;
      if (pending.remove(id)) writeMessage({ id, error: toRpcError(error) });
    });
  remote.onmessage = message => {
    const { result } = message as { readonly result?: Members };
    if (typeof result?.['protocolVersion'] === 'string') remote.setProtocolVersion(result['protocolVersion']);
    const answer = answeredRequest(message);
    const request = answer && pending.remove(answer.id);
    if (request && isQuickstart(request)) reportJoined(result, onJoined);
    // Errors without a request id concern all pending requests.
    if (request || !answer || (answer.id ?? null) === null) writeMessage(message);
  };
  await remote.start();
  const hostGone = new AbortController();
  process.stdout.on('error', () => hostGone.abort());
  await readLines(process.stdin, hostGone.signal, line => {
    const message = parseMessage(line);
    const cancelled = message && cancelledRequest(message);
    if (cancelled) pending.cancel(cancelled.id);
    else if (isJSONRPCRequest(message)) void ask(message);
    else if (message) notifications.push(remote.send(message).catch(() => undefined));
  });
  const sent = Promise.all([pending.whenIdle(), ...notifications]);
  if (!hostGone.signal.aborted) await Promise.race([sent, pause(DRAIN_MS, undefined, { ref: false })]);
  await remote.close();
}

/** Returns null for an empty line, and for an invalid line, which is answered with an error. */
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
    const bearerToken = token();
    if (bearerToken !== undefined) headers.set('authorization', `Bearer ${bearerToken}`);
    return fetch(url, { ...init, headers });
  };

const isQuickstart = ({ method, params }: JSONRPCRequest): boolean =>
  method === 'tools/call' && params?.['name'] === 'quickstart';

/** The answer with the token reaches the host even if the token could not be saved. */
function reportJoined(result: Members | undefined, onJoined: BridgeOptions['onJoined']): void {
  const { muse_id: museId, token } = (result?.['structuredContent'] ?? {}) as Members;
  if (typeof museId !== 'string' || typeof token !== 'string') return;
  try {
    onJoined(museId, token);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    printError(
      escapeLine(`The token of ${museId} could not be saved. Only the answer of quickstart has it. ${reason}`),
    );
  }
}

/** JSON-RPC 2.0, section 5: null if the id cannot be read. */
function readId(line: string): string | number | null {
  const { id } = (JSON.parse(line) ?? {}) as Members;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

const writeMessage = (message: object) =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

class PendingRequests {
  private onIdle: () => void = () => undefined;
  private readonly requests = new Map<unknown, { readonly request: JSONRPCRequest; readonly abort: AbortController }>();

  /** Aborting the signal closes the connection, which tells the service that the request was cancelled. */
  add(request: JSONRPCRequest): AbortSignal {
    const abort = new AbortController();
    this.requests.set(request.id, { request, abort });
    return abort.signal;
  }

  /** Returns undefined for an unknown or cancelled id. */
  remove(id: unknown): JSONRPCRequest | undefined {
    const pending = this.requests.get(id);
    this.forget(id);
    return pending?.request;
  }

  cancel(id: unknown): void {
    const pending = this.requests.get(id);
    this.forget(id);
    pending?.abort.abort();
  }

  /** Resolves once no request is pending. */
  whenIdle(): Promise<void> {
    return new Promise(resolve => {
      this.onIdle = resolve;
      if (this.requests.size === 0) resolve();
    });
  }

  private forget(id: unknown): void {
    this.requests.delete(id);
    if (this.requests.size === 0) this.onIdle();
  }
}

const answeredRequest = (message: JSONRPCMessage): { readonly id: unknown } | null =>
  isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message) ? { id: message.id } : null;

const cancelledRequest = (message: JSONRPCMessage): { readonly id: unknown } | null =>
  'method' in message && message.method === 'notifications/cancelled' ? { id: message.params?.['requestId'] } : null;

/**
 * Emits each line, including an unfinished last line. `node:readline` would also split at U+2028, which JSON may
 * contain.
 */
async function readLines(input: Readable, signal: AbortSignal, take: (line: string) => void): Promise<void> {
  let partialLine = '';
  const split = (chunk: string) => {
    const lines = (partialLine + chunk).split('\n');
    partialLine = lines.pop()!;
    lines.forEach(take);
  };
  input.setEncoding('utf8').on('data', split);
  await new Promise<void>(resolve => {
    for (const event of ['end', 'close', 'error']) input.once(event, () => resolve());
    signal.addEventListener('abort', () => resolve());
  });
  input.off('data', split).pause();
  take(partialLine);
}

type RpcError = JSONRPCErrorResponse['error'];

/** Returns the service's JSON-RPC error if there is one. A refusal from before JSON-RPC handling becomes `data`. */
export function toRpcError(error: unknown): RpcError {
  const serviceError = error instanceof SdkHttpError ? parseServiceError(error.data['text']) : null;
  if (serviceError) return serviceError;
  return { code: INTERNAL_ERROR, message: error instanceof Error ? error.message : 'The service does not answer.' };
}

function parseServiceError(text: unknown): RpcError | null {
  try {
    const body = JSON.parse(String(text)) as { readonly error?: unknown; readonly code?: unknown };
    if (typeof body.error === 'string' && typeof body.code === 'string')
      return { code: SERVER_ERROR, message: body.error, data: body };
    return asRpcError(body.error as Partial<RpcError> | null | undefined);
  } catch {
    return null;
  }
}

/** Checks only the error itself: its `id` may be null. */
const asRpcError = (error: Partial<RpcError> | null | undefined): RpcError | null =>
  typeof error?.code === 'number' && typeof error.message === 'string' ? (error as RpcError) : null;
