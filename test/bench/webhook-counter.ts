import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer } from '../local-server.js';

/** Receiver of webhooks that accepts all of them and measures their rate. */
export class MessageCounter extends LocalServer {
  last = '';
  private began = 0;
  private left = 0;
  private wanted = 0;
  private done: (perSecond: number) => void = () => undefined;

  static start(): Promise<MessageCounter> {
    return new MessageCounter().listen();
  }

  override get url(): string {
    return `${super.url}/hooks`;
  }

  /** Rate per second of the next `messages`, from the first to the last. */
  measureRate(messages: number): Promise<number> {
    [this.wanted, this.left] = [messages, messages];
    return new Promise(resolve => (this.done = resolve));
  }

  protected override handle(_request: IncomingMessage, response: ServerResponse, text: string): void {
    response.writeHead(204).end();
    this.last = text;
    if (this.left === this.wanted) this.began = performance.now();
    this.left -= 1;
    if (this.left === 0) this.done(((this.wanted - 1) * 1_000) / (performance.now() - this.began));
  }
}
