import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Receiver of webhooks that accepts all of them and measures their rate. */
export class MessageCounter {
  last = '';
  private began = 0;
  private left = 0;
  private wanted = 0;
  private done: (perSecond: number) => void = () => undefined;

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        response.writeHead(204).end();
        this.record(text);
      });
    });
  }

  static async start(): Promise<MessageCounter> {
    const server = createServer();
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return new MessageCounter(server);
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}/hooks`;
  }

  /** Rate per second of the next `messages`, from the first to the last. */
  measureRate(messages: number): Promise<number> {
    [this.wanted, this.left] = [messages, messages];
    return new Promise(resolve => (this.done = resolve));
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }

  private record(text: string): void {
    this.last = text;
    if (this.left === this.wanted) this.began = performance.now();
    this.left -= 1;
    if (this.left === 0) this.done(((this.wanted - 1) * 1_000) / (performance.now() - this.began));
  }
}
