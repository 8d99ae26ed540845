import { SdkHttpError } from '@modelcontextprotocol/client';
import type { JSONRPCErrorResponse } from '@modelcontextprotocol/server';
import { SERVER_ERROR } from '#libs/http/json-rpc.js';

type RpcError = JSONRPCErrorResponse['error'];

/** JSON-RPC 2.0, section 5.1: internal error. */
const INTERNAL_ERROR = -32603;

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
