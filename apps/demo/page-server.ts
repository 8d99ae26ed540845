import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { AssertionFailure } from './assertions.js';

/** Only local address that a service with CHAIN=dev may fetch from. */
const HOST = '127.0.0.1';
const PORT = 4321;

export class PageServer {
  private readonly pages = new Map<string, string>();
  private readonly server: Server = createServer((request, response) => {
    const page = this.pages.get(request.url ?? '');
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page ?? 'There is no such page.');
  });

  async start(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', (error: NodeJS.ErrnoException) => reject(toListenError(error)));
      this.server.listen(PORT, HOST, resolve);
    });
  }

  /** Returns the address of the page and the sha256 of its bytes in lower-case hex. */
  publish(path: string, text: string): { readonly url: string; readonly digest: string } {
    this.pages.set(path, text);
    return { url: `http://${HOST}:${PORT}${path}`, digest: sha256(text) };
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

function toListenError(error: NodeJS.ErrnoException): Error {
  if (error.code !== 'EADDRINUSE') return error;
  return new AssertionFailure(
    `Port ${PORT} of ${HOST} is in use. The demo needs it to serve deliveries: a service with CHAIN=dev may only read from there. Free the port and run the demo again.`,
  );
}
