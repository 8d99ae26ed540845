import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { JsonObject } from '#libs/kernel/json.js';
import { LocalServer } from './local-server.js';

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
export class WebhookReceiver extends LocalServer {
  readonly messages: ReceivedMessage[] = [];
  /** Response to the next messages; null closes the connection. */
  answer: (message: ReceivedMessage) => ReceiverAnswer | null = () => ({ status: 204 });

  static start(): Promise<WebhookReceiver> {
    return new WebhookReceiver().listen();
  }

  override get url(): string {
    return `${super.url}/hooks`;
  }

  /** Waits for this many messages and returns all of them. */
  async waitFor(count: number, patienceMs = PATIENCE_MS): Promise<readonly ReceivedMessage[]> {
    for (const until = Date.now() + patienceMs; this.messages.length < count; await pause(LOOK_MS))
      if (Date.now() > until) throw new Error(`${this.messages.length} messages came, not ${count}.`);
    return this.messages;
  }

  protected override handle(request: IncomingMessage, response: ServerResponse, text: string): void {
    const message = {
      headers: request.headers as ReceivedMessage['headers'],
      text,
      body: JSON.parse(text) as ReceivedMessage['body'],
    };
    this.messages.push(message);
    const answer = this.answer(message);
    if (!answer) return void response.destroy();
    const { status, headers = {}, afterMs = 0 } = answer;
    setTimeout(() => response.writeHead(status, headers).end(), afterMs);
  }
}
