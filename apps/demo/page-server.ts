import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { AssertionFailure } from './assertions.js';

/** Where deliveries are served: a service on the development chain may fetch from there, and nowhere else on this machine. */
const HOST = '127.0.0.1';
const PORT = 4321;

/** Pages that agents deliver. */
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

  /** Serves a text, and answers its address and the sha256 of its bytes in lower-case hex. */
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
    `Port ${PORT} of ${HOST} is taken. The demo serves its deliveries there, for that is the address that a service on the development chain may read: free it and run the demo again.`,
  );
}
