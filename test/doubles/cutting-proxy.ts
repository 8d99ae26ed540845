import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { resetSocket } from './reset-socket.js';

/** Forwards requests, and resets the connection instead of the first 200 of each path. */
export class CuttingProxy {
  readonly cut = new Set<string>();
  private readonly server = http.createServer((request, response) => this.forward(request, response));

  private constructor(private readonly target: string) {}

  static async start(target: string): Promise<CuttingProxy> {
    const proxy = new CuttingProxy(target);
    await new Promise<void>(resolve => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  private forward(request: http.IncomingMessage, response: http.ServerResponse): void {
    const path = request.url!;
    const headers = { ...request.headers, host: new URL(this.target).host };
    const forwarded = http.request(new URL(path, this.target), { method: request.method!, headers }, answer => {
      if (answer.statusCode === 200 && !this.cut.has(path)) {
        this.cut.add(path);
        answer.resume().on('end', () => resetSocket(request.socket));
        return;
      }
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  }
}
