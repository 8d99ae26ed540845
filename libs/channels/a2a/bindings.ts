import { formatSSEErrorEvent, StreamResponse } from '@a2a-js/sdk';
import { A2A_ERROR_CODE, VersionNotSupportedError } from '@a2a-js/sdk/errors';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Readable } from 'node:stream';
import { getDisconnectOrStopSignal } from '#libs/http/client-disconnect.js';
import { startLiveStream } from '#libs/http/live-stream.js';
import { type JsonObject, toText } from '#libs/kernel/json.js';
import { Agent } from './agent.js';
import { type Failure, toFailure } from './failures.js';
import { Jobs } from './jobs.js';
import type { SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';
import { type Method, OPERATIONS } from './operations.js';
import { PROTOCOL_VERSION, X402_EXTENSION } from './protocol.js';
import { PushConfigs } from './push-configs.js';
import { toEventStream } from './event-stream.js';
import { ServiceCalls } from './service-calls.js';
import type { TaskNames } from './task-names.js';

export interface A2aDependencies {
  readonly names: TaskNames;
  /** Says which addresses may be told of tasks. */
  readonly safeFetch: Pick<SafeFetch, 'checkUrl'>;
  /** The service's own address, known for good once a port was taken. */
  readonly address: { readonly baseUrl: string };
  readonly stop: AbortSignal;
}

/** How one binding says what an operation came to. */
export interface Binding {
  readonly mediaType: string;
  readonly result: (result: JsonObject) => JsonObject;
  readonly failure: (failure: Failure) => { readonly status: number; readonly body: JsonObject };
  readonly streamError: (failure: Failure) => string;
}

/** HTTP+JSON (A2A 1.0, 11): a result as it is, an error as google.rpc.Status. */
export const HTTP_JSON: Binding = {
  mediaType: 'application/a2a+json',
  result: result => result,
  failure: ({ status, rest }) => ({ status, body: rest }),
  streamError: ({ rest }) => formatSSEErrorEvent(rest),
};

type RequestId = string | number | null;

/** JSON-RPC 2.0 (A2A 1.0, 9) for a request of an id. */
export const jsonRpc = (id: RequestId): Binding => {
  const failed = ({ rpc }: Failure): JsonObject => ({ jsonrpc: '2.0', id, error: rpc });
  return {
    mediaType: 'application/json',
    result: result => ({ jsonrpc: '2.0', id, result }),
    failure: failure => ({ status: failure.rpcStatus, body: failed(failure) }),
    streamError: failure => `data: ${JSON.stringify(failed(failure))}\n\n`,
  };
};

/** Carries out what was asked by either binding, and answers by it. */
export async function handleOperation(
  binding: Binding,
  asked: { readonly method: Method; readonly params: JsonObject },
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { names, address, safeFetch, stop }: A2aDependencies,
): Promise<FastifyReply> {
  const gone = getDisconnectOrStopSignal(reply, stop);
  try {
    assertProtocolVersion(request);
    acknowledgeExtensions(request, reply);
    const jobs = new Jobs(new ServiceCalls(request, gone), names, address.baseUrl);
    const pushes = new PushConfigs(jobs, safeFetch);
    const result = await OPERATIONS[asked.method]({ agent: new Agent(jobs, pushes), jobs, pushes }, asked.params);
    if (!(Symbol.asyncIterator in result))
      return reply.type(binding.mediaType).send(JSON.stringify(binding.result(result)));
    const written = {
      event: (event: StreamResponse) => binding.result(StreamResponse.toJSON(event) as JsonObject),
      error: (error: unknown) => binding.streamError(toFailure(error, request)),
    };
    const stream = await toEventStream(result, written, gone);
    startLiveStream(reply, stop);
    // Fastify would read the whole stream for a HEAD.
    return reply.send(request.method === 'HEAD' ? Readable.from([]) : stream);
  } catch (error) {
    return sendBindingFailure(binding, toFailure(error, request), reply);
  }
}

export function sendBindingFailure(binding: Binding, failure: Failure, reply: FastifyReply): FastifyReply {
  const { status, body } = binding.failure(failure);
  return reply.status(status).headers(failure.headers).type(binding.mediaType).send(JSON.stringify(body));
}

/** Without a version a caller speaks 0.3 (A2A 1.0, 3.6). */
function assertProtocolVersion({ headers, query }: FastifyRequest): void {
  const asked = headers['a2a-version'] ?? (query as { readonly [name: string]: unknown })['A2A-Version'] ?? '0.3';
  // Patch numbers do not count (A2A 1.0, 3.6).
  if (typeof asked === 'string' && asked.replace(/^(\d+\.\d+)\.\d+$/, '$1') === PROTOCOL_VERSION) return;
  throw new VersionNotSupportedError(
    `A2A ${toText(asked)} is not spoken here, ${PROTOCOL_VERSION} is: send A2A-Version.`,
  );
}

/** Says which of the extensions that the caller knows is used. */
function acknowledgeExtensions({ headers }: FastifyRequest, reply: FastifyReply): void {
  const asked = [headers['a2a-extensions'], headers['x-a2a-extensions']].flat().join(',');
  const knows = asked.split(',').some(each => each.trim() === X402_EXTENSION);
  if (knows) void reply.header('a2a-extensions', X402_EXTENSION);
}

interface RpcCall {
  readonly id: RequestId;
  readonly method: Method;
  readonly params: JsonObject;
}

/** A request of JSON-RPC, or the error of one that is none. */
export function parseRpcCall(body: JsonObject): RpcCall | { readonly id: RequestId; readonly error: JsonObject } {
  const { jsonrpc, id = null, method, params = {} } = body;
  const isId = id === null || typeof id === 'string' || Number.isInteger(id);
  const own = isId ? (id as RequestId) : null;
  // One without an id is a notification, which nobody waits for: nothing here is told in one.
  if (jsonrpc !== '2.0' || !isId || !('id' in body) || typeof method !== 'string')
    return { id: own, error: { code: A2A_ERROR_CODE.INVALID_REQUEST, message: 'This is no request of JSON-RPC 2.0.' } };
  if (!Object.hasOwn(OPERATIONS, method))
    return { id: own, error: { code: A2A_ERROR_CODE.METHOD_NOT_FOUND, message: 'There is no such method.' } };
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    return { id: own, error: { code: A2A_ERROR_CODE.INVALID_PARAMS, message: 'params must be an object.' } };
  return { id: own, method: method as Method, params: params as JsonObject };
}
