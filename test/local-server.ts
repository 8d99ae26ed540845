import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen } from './listen.js';

type Listener = (request: IncomingMessage, response: ServerResponse, body: string) => void;

/** HTTP server on a free port of this machine, which answers with a listener or as its subclass does. */
export class LocalServer {
  private readonly server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => this.handle(request, response, body));
  });

  /** Stays after the server has stopped. */
  host = '';

  constructor(private readonly listener: Listener = () => undefined) {}

  get url(): string {
    return `http://${this.host}`;
  }

  async listen(): Promise<this> {
    const { host } = new URL(await listen(this.server));
    this.host = host;
    return this;
  }

  /** Lets this process end while the server listens. */
  unref(): void {
    this.server.on('connection', socket => socket.unref()).unref();
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }

  protected handle(request: IncomingMessage, response: ServerResponse, body: string): void {
    this.listener(request, response, body);
  }
}
