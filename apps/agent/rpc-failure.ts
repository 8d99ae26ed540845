import { SdkHttpError } from '@modelcontextprotocol/client';
import type { JSONRPCErrorResponse } from '@modelcontextprotocol/server';
import { SERVER_ERROR } from '#libs/http/json-rpc.js';

type RpcError = JSONRPCErrorResponse['error'];

/** JSON-RPC 2.0, section 5.1: what went wrong in between. */
const INTERNAL_ERROR = -32603;

/**
 * Why a request has no result: as the service has said it in JSON-RPC, whatever the status; what it has refused before
 * it looked for JSON-RPC, with that refusal as `data`; else what became of it.
 */
export function toRpcError(error: unknown): RpcError {
  const said = error instanceof SdkHttpError ? parseServiceError(error.data['text']) : null;
  if (said) return said;
  return { code: INTERNAL_ERROR, message: error instanceof Error ? error.message : 'The service does not answer.' };
}

function parseServiceError(text: unknown): RpcError | null {
  try {
    const said = JSON.parse(String(text)) as { readonly error?: unknown; readonly code?: unknown };
    if (typeof said.error === 'string' && typeof said.code === 'string')
      return { code: SERVER_ERROR, message: said.error, data: said };
    return asRpcError(said.error as Partial<RpcError> | null | undefined);
  } catch {
    return null;
  }
}

/** The service may not know whom it answers (`id` null), so only the error itself is looked at. */
const asRpcError = (error: Partial<RpcError> | null | undefined): RpcError | null =>
  typeof error?.code === 'number' && typeof error.message === 'string' ? (error as RpcError) : null;
