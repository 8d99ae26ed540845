import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

export const LONG_BASE_URL = `https://${'agent-job-network'.padEnd(44, '-x')}.example`;
export const HEADER_BYTES_MAX = 3_500;

interface ServerExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** Measures the header block of every response of this process. */
export class HeaderSizes {
  private readonly started: ServerExchange[] = [];
  private readonly note = (message: unknown) => void this.started.push(message as ServerExchange);

  constructor() {
    subscribe('http.server.request.start', this.note);
  }

  stop(): void {
    unsubscribe('http.server.request.start', this.note);
  }

  atLeast(bytes: number): string[] {
    const sizes = this.started.map(({ request: { method, url }, response }) => {
      const block = (response as unknown as { readonly _header: string | null })._header ?? '';
      return { name: `${method} ${url} ${response.statusCode}`, bytes: Buffer.byteLength(block, 'latin1') };
    });
    const longest = sizes.filter(each => each.bytes >= bytes).sort((a, b) => b.bytes - a.bytes);
    return [...new Set(longest.map(each => `${each.name}: ${each.bytes}`))];
  }
}
