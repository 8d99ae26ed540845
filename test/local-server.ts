import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Listener = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** HTTP server on a free port of this machine, which answers with a listener or as its subclass does. */
export class LocalServer {
  private readonly server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => this.handle(request, response, body));
  });

  constructor(private readonly listener: Listener = () => undefined) {}

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}`;
  }

  async listen(): Promise<this> {
    await new Promise<void>(resolve => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }

  protected handle(request: IncomingMessage, response: ServerResponse, body: string): void {
    this.listener(request, response, body);
  }
}
