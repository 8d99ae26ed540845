import { isJSONRPCErrorResponse, isJSONRPCResultResponse } from '@modelcontextprotocol/client';
import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/server';

/** The requests that a host waits for, by their ids. */
export class PendingRequests {
  private onIdle: () => void = () => undefined;
  private readonly requests = new Map<unknown, { readonly request: JSONRPCRequest; readonly left: AbortController }>();

  /** Its signal closes the connection over which it is asked: so the service learns that nobody waits any more. */
  add(request: JSONRPCRequest): AbortSignal {
    const left = new AbortController();
    this.requests.set(request.id, { request, left });
    return left.signal;
  }

  /** Undefined for one that nobody waits for, as after it was cancelled. */
  remove(id: unknown): JSONRPCRequest | undefined {
    const ended = this.requests.get(id);
    this.forget(id);
    return ended?.request;
  }

  cancel(id: unknown): void {
    const cancelled = this.requests.get(id);
    this.forget(id);
    cancelled?.left.abort();
  }

  /** Resolves once every request has ended. */
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

/** Which request a message answers; null for a message that answers none. */
export const answeredRequest = (message: JSONRPCMessage): { readonly id: unknown } | null =>
  isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message) ? { id: message.id } : null;

/** Which request a host cancels by a notification; null for any other message. */
export const cancelledRequest = (message: JSONRPCMessage): { readonly id: unknown } | null =>
  'method' in message && message.method === 'notifications/cancelled' ? { id: message.params?.['requestId'] } : null;
