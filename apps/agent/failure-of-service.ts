import { SdkHttpError } from '@modelcontextprotocol/client';
import type { JSONRPCErrorResponse } from '@modelcontextprotocol/server';

type RpcError = JSONRPCErrorResponse['error'];

const INTERNAL_ERROR = -32603;

/** Why a request has no result: as the service has said it in JSON-RPC, whatever the status; else what became of it. */
export function failureOf(error: unknown): RpcError {
  const said = error instanceof SdkHttpError ? saidIn(error.data['text']) : null;
  if (said) return said;
  return { code: INTERNAL_ERROR, message: error instanceof Error ? error.message : 'The service does not answer.' };
}

/** The service may not know whom it answers (`id` null), so only the error itself is looked at. */
function saidIn(text: unknown): RpcError | null {
  try {
    const { error } = JSON.parse(String(text)) as { readonly error?: Partial<RpcError> | null };
    return typeof error?.code === 'number' && typeof error.message === 'string' ? (error as RpcError) : null;
  } catch {
    return null;
  }
}
