import { A2A_ERROR_CODE } from '@a2a-js/sdk/errors';
import type { FastifyReply } from 'fastify';
import type { JsonObject } from '#libs/kernel/json.js';
import {
  type A2aDependencies,
  type Binding,
  handleCall,
  handleOperation,
  type HttpExchange,
  requestedVersion,
} from './bindings.js';
import type { Failure } from './failures.js';
import { handleLegacyCall, isLegacyMethod, type LegacyMethod } from './legacy.js';
import { type Method, OPERATIONS, type RequestHandler } from './operations.js';
import { LEGACY_VERSION, PROTOCOL_VERSION } from './protocol.js';

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

/** Handles a request in the version of its method. */
export async function handleRpcRequest(exchange: HttpExchange, dependencies: A2aDependencies): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const call = parseRpcCall((request.body ?? {}) as JsonObject, requestedVersion(request));
  if ('error' in call) return reply.type('application/json').send(JSON.stringify({ jsonrpc: '2.0', ...call }));
  const { method, ...rest } = call;
  const binding = jsonRpc(call.id);
  if (!isLegacyMethod(method)) return handleOperation(binding, { method, ...rest }, exchange, dependencies);
  const run = (handler: RequestHandler) => handleLegacyCall(handler, { method, ...rest });
  const legacyCall = { binding, version: LEGACY_VERSION, run, toEvent: (event: JsonObject) => event };
  return handleCall(legacyCall, exchange, dependencies);
}

interface RpcCall {
  readonly id: RequestId;
  readonly method: Method | LegacyMethod;
  readonly params: JsonObject;
}

/** Returns a JSON-RPC request, or the error of an invalid one. */
function parseRpcCall(
  body: JsonObject,
  version: string,
): RpcCall | { readonly id: RequestId; readonly error: JsonObject } {
  const { jsonrpc, id = null, method, params = {} } = body;
  const isId = id === null || typeof id === 'string' || Number.isInteger(id);
  const requestId = isId ? (id as RequestId) : null;
  // Refuses notifications (requests without an id): no operation makes sense as one.
  if (jsonrpc !== '2.0' || !isId || !('id' in body) || typeof method !== 'string')
    return {
      id: requestId,
      error: { code: A2A_ERROR_CODE.INVALID_REQUEST, message: 'The body must be a JSON-RPC 2.0 request with an id.' },
    };
  const isKnown = Object.hasOwn(OPERATIONS, method) || (version !== PROTOCOL_VERSION && isLegacyMethod(method));
  if (!isKnown)
    return {
      id: requestId,
      error: { code: A2A_ERROR_CODE.METHOD_NOT_FOUND, message: `There is no method ${method}.` },
    };
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    return { id: requestId, error: { code: A2A_ERROR_CODE.INVALID_PARAMS, message: 'params must be an object.' } };
  return { id: requestId, method: method as RpcCall['method'], params: params as JsonObject };
}
