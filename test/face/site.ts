import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

const TYPES: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
};

/** Serves a folder as a web site with its own origin. */
export class Site {
  private constructor(
    private readonly server: Server,
    private readonly folder: string,
  ) {
    server.on('request', (request, response) => {
      const { pathname } = new URL(request.url!, 'http://localhost');
      const type = TYPES[extname(pathname)];
      const text = type === undefined ? null : this.read(pathname);
      response.writeHead(text === null ? 404 : 200, { 'content-type': type ?? 'text/plain' }).end(text);
    });
  }

  static async of(folder: string): Promise<Site> {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return new Site(server, folder);
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }

  private read(path: string): Buffer | null {
    try {
      return readFileSync(join(this.folder, path));
    } catch {
      return null;
    }
  }
}
