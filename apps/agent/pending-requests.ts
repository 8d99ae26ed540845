import { isJSONRPCErrorResponse, isJSONRPCResultResponse } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';

export class PendingRequests {
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

export const answeredRequest = (message: JSONRPCMessage): { readonly id: unknown } | null =>
  isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message) ? { id: message.id } : null;

export const cancelledRequest = (message: JSONRPCMessage): { readonly id: unknown } | null =>
  'method' in message && message.method === 'notifications/cancelled' ? { id: message.params?.['requestId'] } : null;
