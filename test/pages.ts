import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Page {
  readonly text: string;
  readonly delayMs: number;
}

/** Pages for deliveries that can change, respond slowly or be missing; counts their requests. */
export class Pages {
  private readonly pages = new Map<string, Page>();
  private readonly asked = new Map<string, number>();

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      const path = request.url!;
      this.asked.set(path, this.hits(path) + 1);
      const page = this.pages.get(path);
      const answer = () => response.writeHead(page ? 200 : 404, { 'content-type': 'text/plain' }).end(page?.text);
      setTimeout(answer, page?.delayMs ?? 0).unref();
    });
  }

  static async start(): Promise<Pages> {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return new Pages(server);
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  url(path: string): string {
    return `http://${this.host}${path}`;
  }

  put(path: string, text: string, delayMs = 0): string {
    this.pages.set(path, { text, delayMs });
    return this.url(path);
  }

  forget(path: string): void {
    this.pages.delete(path);
  }

  hits(path: string): number {
    return this.asked.get(path) ?? 0;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }
}
