import type { IncomingMessage, ServerResponse } from 'node:http';
import { LocalServer } from './local-server.js';

interface Page {
  readonly text: string;
  readonly delayMs: number;
}

/** Pages for deliveries that can change, respond slowly or be missing; counts their requests. */
export class Pages extends LocalServer {
  private readonly pages = new Map<string, Page>();
  private readonly asked = new Map<string, number>();

  static start(): Promise<Pages> {
    return new Pages().listen();
  }

  put(path: string, text: string, delayMs = 0): string {
    this.pages.set(path, { text, delayMs });
    return this.url + path;
  }

  forget(path: string): void {
    this.pages.delete(path);
  }

  hits(path: string): number {
    return this.asked.get(path) ?? 0;
  }

  protected override handle({ url = '' }: IncomingMessage, response: ServerResponse): void {
    this.asked.set(url, this.hits(url) + 1);
    const page = this.pages.get(url);
    const answer = () => response.writeHead(page ? 200 : 404, { 'content-type': 'text/plain' }).end(page?.text);
    setTimeout(answer, page?.delayMs ?? 0).unref();
  }
}
