import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '#libs/kernel/json.js';

const PATIENCE_MS = 10_000;
const LOOK_MS = 10;

export interface ReceivedMessage {
  readonly headers: { readonly [name: string]: string };
  readonly text: string;
  readonly body: JsonObject & { readonly type: string; readonly timestamp: string; readonly data: JsonObject };
}

interface ReceiverAnswer {
  readonly status: number;
  readonly headers?: { readonly [name: string]: string };
  readonly afterMs?: number;
}

/** Webhook receiver that keeps all messages and returns configurable responses. */
export class WebhookReceiver {
  readonly messages: ReceivedMessage[] = [];
  /** Response to the next messages; null closes the connection. */
  answer: (message: ReceivedMessage) => ReceiverAnswer | null = () => ({ status: 204 });

  private constructor(private readonly server: Server) {}

  static async start(): Promise<WebhookReceiver> {
    const server = createServer();
    const receiver = new WebhookReceiver(server);
    server.on('request', (request, response) => {
      let text = '';
      request.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      request.on('end', () => {
        const message = messageOf(request.headers, text);
        receiver.messages.push(message);
        const answer = receiver.answer(message);
        if (!answer) return void response.destroy();
        const { status, headers = {}, afterMs = 0 } = answer;
        setTimeout(() => response.writeHead(status, headers).end(), afterMs);
      });
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  get host(): string {
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  get url(): string {
    return `http://${this.host}/hooks`;
  }

  ofType(type: string): ReceivedMessage[] {
    return this.messages.filter(({ body }) => body.type === type);
  }

  /** Waits for this many messages and returns all of them. */
  async waitFor(count: number, patienceMs = PATIENCE_MS): Promise<readonly ReceivedMessage[]> {
    for (const until = Date.now() + patienceMs; this.messages.length < count; await pause(LOOK_MS))
      if (Date.now() > until) throw new Error(`${this.messages.length} messages came, not ${count}.`);
    return this.messages;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise(resolve => this.server.close(resolve));
  }
}

const messageOf = (headers: IncomingHttpHeaders, text: string): ReceivedMessage => ({
  headers: headers as ReceivedMessage['headers'],
  text,
  body: JSON.parse(text) as ReceivedMessage['body'],
});
