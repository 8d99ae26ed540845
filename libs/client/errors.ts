import { SECOND_MS } from '#libs/kernel/clock.js';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { FieldFault, Reason } from '#libs/kernel/field-faults.js';

/** An error that keeps the signed request and the payment for another attempt. */
export interface Resumable {
  /** Resumes the same operation with the same idempotency key and payment. Missing if a repetition is pointless. */
  resume?: () => Promise<unknown>;
}

/** A known code. A newer service may use others. */
export type ErrorCode = ServiceErrorCode | (string & Record<never, never>);

/**
 * A refusal of the service. `code` is stable, `error` is a sentence, and `retryable` says whether a repetition can
 * succeed.
 */
export class ApiError extends Error implements Resumable {
  readonly code: ErrorCode;
  readonly error: string;
  readonly field: string | null;
  /** Reason why `field` is wrong; null if the refusal is not about a field. A newer service may use other reasons. */
  readonly reason: Reason | (string & Record<never, never>) | null;
  /** All wrong fields in order; empty if the refusal is not about a field. */
  readonly fields: readonly FieldFault[];
  readonly hint: string | null;
  readonly retryable: boolean;
  resume?: () => Promise<unknown>;

  constructor(
    readonly status: number,
    /** The whole JSON body. */
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
    // Node prints enumerable members of an unhandled error, and these repeat its message.
    for (const name of ['error', 'body', 'headers', 'fields']) Object.defineProperty(this, name, { enumerable: false });
  }

  /** Value of `retry-after` in ms; null without it. */
  get retryAfterMs(): number | null {
    const seconds = Number(this.headers.get('retry-after') ?? Number.NaN);
    return Number.isFinite(seconds) && seconds >= 0 ? seconds * SECOND_MS : null;
  }
}

/** No readable answer came: the request may or may not have been executed. */
export class ConnectionLost extends Error implements Resumable {
  readonly code = 'connection_lost';
  readonly retryable = true;
  resume?: () => Promise<unknown>;

  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'ConnectionLost';
  }
}

export type Declined = 'no_wallet' | 'above_cap' | 'unknown_offer';

/** The client refused to sign a payment. Nothing was signed. */
export class PaymentDeclined extends Error {
  constructor(
    readonly code: Declined,
    message: string,
  ) {
    super(message);
    this.name = 'PaymentDeclined';
  }
}

/**
 * The service does not know `escrow`, so the job was posted without one: its wage is not held. Close the job if you do
 * not want it so.
 */
export class EscrowIgnored extends Error {
  readonly code = 'escrow_ignored';

  /** `answer`: the whole answer, with the job that was posted. */
  constructor(readonly answer: JsonObject) {
    const job = textOf(answer, 'role') ?? 'the job';
    super(`This service has no escrow: it posted ${job} without one. Close it if the wage has to be held.`);
    this.name = 'EscrowIgnored';
  }
}

/** Older services ignore fields that they do not know, and name them in the answer. */
export function assertEscrowKnown({ escrow }: Readonly<Record<string, string>>, answer: JsonObject): void {
  const { ignored } = answer;
  if (escrow === 'true' && Array.isArray(ignored) && ignored.includes('escrow')) throw new EscrowIgnored(answer);
}

function textOf(body: JsonObject, name: string): string | null {
  const value = body[name];
  return typeof value === 'string' ? value : null;
}
