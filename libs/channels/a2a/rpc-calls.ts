import { A2A_ERROR_CODE } from '@a2a-js/sdk/errors';
import type { FastifyReply } from 'fastify';
import type { JsonObject } from '#libs/kernel/json.js';
import { type A2aDependencies, handleCall, type HttpExchange, jsonRpc, requestedVersion } from './bindings.js';
import { type OperationCall, type RequestId, versionOf } from './operations.js';
import { LEGACY_VERSION, PROTOCOL_VERSION } from './protocol.js';

/** Handles a request in the version of its method. */
export async function handleRpcRequest(exchange: HttpExchange, dependencies: A2aDependencies): Promise<FastifyReply> {
  const { request, reply } = exchange;
  const call = parseRpcCall((request.body ?? {}) as JsonObject, requestedVersion(request));
  if ('error' in call) return reply.type('application/json').send(JSON.stringify({ jsonrpc: '2.0', ...call }));
  return handleCall(jsonRpc(call.id), call, exchange, dependencies);
}

/** Returns a JSON-RPC request, or the error of an invalid one. */
function parseRpcCall(
  body: JsonObject,
  version: string,
): OperationCall | { readonly id: RequestId; readonly error: JsonObject } {
  const { jsonrpc, id = null, method, params = {} } = body;
  const isId = id === null || typeof id === 'string' || Number.isInteger(id);
  const requestId = isId ? (id as RequestId) : null;
  const refusal = (code: number, message: string) => ({ id: requestId, error: { code, message } });
  // Refuses notifications (requests without an id): no operation makes sense as one.
  if (jsonrpc !== '2.0' || !isId || !('id' in body) || typeof method !== 'string')
    return refusal(A2A_ERROR_CODE.INVALID_REQUEST, 'The body must be a JSON-RPC 2.0 request with an id.');
  const methodVersion = versionOf(method);
  if (methodVersion === undefined || (methodVersion === LEGACY_VERSION && version === PROTOCOL_VERSION))
    return refusal(A2A_ERROR_CODE.METHOD_NOT_FOUND, `There is no method ${method}.`);
  if (typeof params !== 'object' || params === null || Array.isArray(params))
    return refusal(A2A_ERROR_CODE.INVALID_PARAMS, '`params` must be an object.');
  return { id: requestId, method: method as OperationCall['method'], params: params as JsonObject };
}
