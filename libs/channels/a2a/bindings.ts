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
  /** Checks the addresses of push configurations. */
  readonly safeFetch: Pick<SafeFetch, 'checkUrl'>;
  /** Public address; final after the port is bound. */
  readonly address: { readonly baseUrl: string };
  readonly stop: AbortSignal;
}

/** Formats results and failures for one protocol binding. */
export interface Binding {
  readonly mediaType: string;
  readonly result: (result: JsonObject) => JsonObject;
  readonly failure: (failure: Failure) => { readonly status: number; readonly body: JsonObject };
  readonly streamError: (failure: Failure) => string;
}

/** HTTP+JSON (A2A 1.0, 11): plain results, and errors as google.rpc.Status. */
export const HTTP_JSON: Binding = {
  mediaType: 'application/a2a+json',
  result: result => result,
  failure: ({ status, rest }) => ({ status, body: rest }),
  streamError: ({ rest }) => formatSSEErrorEvent(rest),
};

type RequestId = string | number | null;

/** JSON-RPC 2.0 (A2A 1.0, 9). */
export const jsonRpc = (id: RequestId): Binding => {
  const errorBody = ({ rpc }: Failure): JsonObject => ({ jsonrpc: '2.0', id, error: rpc });
  return {
    mediaType: 'application/json',
    result: result => ({ jsonrpc: '2.0', id, result }),
    failure: failure => ({ status: failure.rpcStatus, body: errorBody(failure) }),
    streamError: failure => `data: ${JSON.stringify(errorBody(failure))}\n\n`,
  };
};

export async function handleOperation(
  binding: Binding,
  operation: { readonly method: Method; readonly params: JsonObject },
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  { names, address, safeFetch, stop }: A2aDependencies,
): Promise<FastifyReply> {
  const disconnected = getDisconnectOrStopSignal(reply, stop);
  try {
    assertProtocolVersion(request);
    acknowledgeExtensions(request, reply);
    const jobs = new Jobs(new ServiceCalls(request, disconnected), names, address.baseUrl);
    const pushes = new PushConfigs(jobs, safeFetch);
    const result = await OPERATIONS[operation.method](
      { agent: new Agent(jobs, pushes), jobs, pushes },
      operation.params,
    );
    if (!(Symbol.asyncIterator in result))
      return reply.type(binding.mediaType).send(JSON.stringify(binding.result(result)));
    const writer = {
      event: (event: StreamResponse) => binding.result(StreamResponse.toJSON(event) as JsonObject),
      error: (error: unknown) => binding.streamError(toFailure(error, request)),
    };
    const stream = await toEventStream(result, writer, disconnected);
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

/** Version 0.3 is the default (A2A 1.0, 3.6). */
function assertProtocolVersion({ headers, query }: FastifyRequest): void {
  const version = headers['a2a-version'] ?? (query as { readonly [name: string]: unknown })['A2A-Version'] ?? '0.3';
  // Patch versions are ignored (A2A 1.0, 3.6).
  if (typeof version === 'string' && version.replace(/^(\d+\.\d+)\.\d+$/, '$1') === PROTOCOL_VERSION) return;
  throw new VersionNotSupportedError(`A2A ${toText(version)} is not supported. Send A2A-Version: ${PROTOCOL_VERSION}.`);
}

function acknowledgeExtensions({ headers }: FastifyRequest, reply: FastifyReply): void {
  const extensions = [headers['a2a-extensions'], headers['x-a2a-extensions']].flat().join(',');
  const isSupported = extensions.split(',').some(each => each.trim() === X402_EXTENSION);
  if (isSupported) void reply.header('a2a-extensions', X402_EXTENSION);
}

interface RpcCall {
  readonly id: RequestId;
  readonly method: Method;
  readonly params: JsonObject;
}

/** Returns a JSON-RPC request, or the error of an invalid one. */
export function parseRpcCall(body: JsonObject): RpcCall | { readonly id: RequestId; readonly error: JsonObject } {
  const { jsonrpc, id = null, method, params = {} } = body;
  const isId = id === null || typeof id === 'string' || Number.isInteger(id);
  const requestId = isId ? (id as RequestId) : null;
  // Refuses notifications (requests without an id): no operation makes sense as one.
  if (jsonrpc !== '2.0' || !isId || !('id' in body) || typeof method !== 'string')
    return {
      id: requestId,
      error: { code: A2A_ERROR_CODE.INVALID_REQUEST, message: 'The body must be a JSON-RPC 2.0 request with an id.' },
    };
  if (!Object.hasOwn(OPERATIONS, method))
    return {
      id: requestId,
      error: { code: A2A_ERROR_CODE.METHOD_NOT_FOUND, message: `There is no method ${method}.` },
    };
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    return { id: requestId, error: { code: A2A_ERROR_CODE.INVALID_PARAMS, message: 'params must be an object.' } };
  return { id: requestId, method: method as Method, params: params as JsonObject };
}
