import type { FastifyRequest } from 'fastify';
import { sendInnerRequest, type InnerRequest } from '#libs/http/inner-request.js';
import { type JsonObject, toText } from '#libs/kernel/json.js';
import { Refusal } from '#libs/kernel/refusal.js';

type Headers = { readonly [name: string]: unknown };

/** An endpoint of the service has refused; `body` is its failure, with `code` and `error`. */
export class ServiceRefusal extends Error {
  constructor(
    /** As over HTTP. */
    readonly status: number,
    readonly body: JsonObject,
    readonly headers: Headers,
  ) {
    super(typeof body['error'] === 'string' ? body['error'] : 'The service could not answer.');
  }

  /** The stable word of the refusal; empty where it has none. */
  get code(): string {
    return typeof this.body['code'] === 'string' ? this.body['code'] : '';
  }
}

export interface ServiceAnswer<T> {
  readonly answer: T;
  readonly headers: Headers;
  /** What a read has to contain to show it. */
  readonly position: string;
}

/** What one A2A request asks of the endpoints of the service, as its caller. */
export class ServiceCalls {
  constructor(
    private readonly request: FastifyRequest,
    /** The caller has gone. */
    readonly signal: AbortSignal,
  ) {}

  /** The header that says who calls; empty where there is none. */
  get authorization(): string {
    return this.request.headers.authorization ?? '';
  }

  /**
   * Throws `ServiceRefused` for whatever is not answered with 200; but `unsigned` where a price was told to nobody who
   * is known, for a task that waits for its payment is its caller's.
   */
  async ask<T>(within: Omit<InnerRequest, 'signal'>): Promise<ServiceAnswer<T>> {
    const { status, body, headers } = await sendInnerRequest(this.request, { ...within, signal: this.signal });
    if (status !== 200 && body['unsigned'] !== undefined) throw new Refusal('unsigned', toText(body['unsigned']));
    if (status !== 200) throw new ServiceRefusal(status, body, headers);
    const position = headers['event-position'];
    return { answer: body as T, headers, position: typeof position === 'string' ? position : '0' };
  }
}
