import { SECOND_MS } from '#libs/kernel/clock.js';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { FieldFault, Reason } from '#libs/kernel/field-faults.js';

/** An error of a call that was given up for now. It keeps the signed request and the payment, to be sent again. */
export interface Resumable {
  /** Goes on with the very same operation: same idempotency key, same payment. Only where repeating makes sense. */
  resume?: () => Promise<unknown>;
}

/** A code that the service is known to answer with; a newer one may answer with others. */
export type ErrorCode = ServiceErrorCode | (string & Record<never, never>);

/** The service refused. `code` is stable, `error` is a sentence, `retryable` says whether repeating can succeed. */
export class ApiError extends Error implements Resumable {
  readonly code: ErrorCode;
  readonly error: string;
  readonly field: string | null;
  /** What is wrong with `field`; null where the refusal is about no field. A newer service may say other words. */
  readonly reason: Reason | (string & Record<never, never>) | null;
  /** Every field that is wrong, the first one first; empty where the refusal is about none. */
  readonly fields: readonly FieldFault[];
  readonly hint: string | null;
  readonly retryable: boolean;
  resume?: () => Promise<unknown>;

  constructor(
    readonly status: number,
    /** The whole answer. */
    readonly body: JsonObject,
    readonly headers: Headers = new Headers(),
  ) {
    const code = textOf(body, 'code') ?? `http_${status}`;
    const error = textOf(body, 'error') ?? `The service answered ${status}.`;
    super(`${error} (${status} ${code})`);
    this.name = 'ApiError';
    this.code = code;
    this.error = error;
    this.field = textOf(body, 'field');
    this.reason = textOf(body, 'reason');
    this.fields = Array.isArray(body['fields']) ? (body['fields'] as FieldFault[]) : [];
    this.hint = textOf(body, 'hint');
    this.retryable = body['retryable'] === true;
  }

  /** What `retry-after` says; null where it says nothing. */
  get retryAfterMs(): number | null {
    const seconds = Number(this.headers.get('retry-after') ?? Number.NaN);
    return Number.isFinite(seconds) && seconds >= 0 ? seconds * SECOND_MS : null;
  }
}

/** No answer came, or none that could be read: the request may have been carried out or not. */
export class ConnectionLost extends Error implements Resumable {
  readonly code = 'connection_lost';
  readonly retryable = true;
  resume?: () => Promise<unknown>;

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ConnectionLost';
  }
}

/** Why this client does not pay: it has no wallet, it may not spend that much, or the offer is for nothing it knows. */
export type Declined = 'no_wallet' | 'above_cap' | 'unknown_offer';

/** The client itself refused to sign a payment. Nothing was signed. */
export class PaymentDeclined extends Error {
  constructor(
    readonly code: Declined,
    message: string,
  ) {
    super(message);
    this.name = 'PaymentDeclined';
  }
}

function textOf(body: JsonObject, name: string): string | null {
  const value = body[name];
  return typeof value === 'string' ? value : null;
}
