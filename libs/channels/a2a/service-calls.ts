import type { FastifyRequest } from 'fastify';
import { sendInnerRequest, type InnerRequest } from '#libs/http/inner-request.js';
import { type JsonObject, toText } from '#libs/kernel/json.js';
import { Refusal } from '#libs/kernel/refusal.js';

type Headers = { readonly [name: string]: unknown };

/** Refusal by an endpoint; `body` has `code` and `error`. */
export class ServiceRefusal extends Error {
  constructor(
    readonly status: number,
    readonly body: JsonObject,
    readonly headers: Headers,
  ) {
    super(typeof body['error'] === 'string' ? body['error'] : 'The service is unavailable. Try again.');
  }

  /** Error code; empty if there is none. */
  get code(): string {
    return typeof this.body['code'] === 'string' ? this.body['code'] : '';
  }
}

export interface ServiceAnswer<T> {
  readonly answer: T;
  readonly headers: Headers;
  /** A read at this log position shows the change. */
  readonly position: string;
}

/** Calls endpoints of the service in the name of an A2A caller. */
export class ServiceCalls {
  constructor(
    private readonly request: FastifyRequest,
    /** Aborted when the client disconnects. */
    readonly signal: AbortSignal,
  ) {}

  /** Empty if the request has no such header. */
  get authorization(): string {
    return this.request.headers.authorization ?? '';
  }

  /**
   * Throws `ServiceRefusal` unless the answer is 200. Throws `unsigned` for an offer to an unauthenticated caller,
   * because an unpaid task needs an owner.
   */
  async ask<T>(innerRequest: Omit<InnerRequest, 'signal'>): Promise<ServiceAnswer<T>> {
    const { status, body, headers } = await sendInnerRequest(this.request, { ...innerRequest, signal: this.signal });
    if (status !== 200 && body['unsigned'] !== undefined) throw new Refusal('unsigned', toText(body['unsigned']));
    if (status !== 200) throw new ServiceRefusal(status, body, headers);
    const position = headers['event-position'];
    return { answer: body as T, headers, position: typeof position === 'string' ? position : '0' };
  }
}
