import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { BrokenStream } from '#libs/event-log/unreadable-event.js';
import { type ServiceErrorCode, ERROR_CODES } from '#libs/kernel/error-codes.js';
import { INVALID_FIELD, problemType } from '#libs/kernel/page-paths.js';
import { REMEDIES } from '#libs/kernel/remedies.js';
import { FieldRefusal, Refusal, Unavailable } from '#libs/kernel/refusal.js';
import type { JsonObject } from '#libs/kernel/json.js';

const OUTAGE_RETRY_SECONDS = 2;
const MALFORMED = [400, false] as const;

export interface Failure {
  readonly status: number;
  readonly body: JsonObject;
  readonly headers: { readonly [name: string]: string };
  readonly anchor: string;
}

/** `report` is called for a defect or an outage, with the id that the client gets. */
export function buildFailure(error: unknown, report: (error: unknown, errorId: string) => void): Failure {
  if (error instanceof Refusal) return refusalToFailure(error);
  if (error instanceof Unavailable) {
    // An unreadable event is already logged by its reader.
    if (error.code === 'unavailable' || error instanceof BrokenStream) report(error, '');
    return refusalToFailure(
      new Refusal(error.code, `${error.message} Repeat the same request.`, { retryAfter: OUTAGE_RETRY_SECONDS }),
    );
  }
  const fastify = translateFastifyError(error);
  if (fastify) return refusalToFailure(fastify);
  const errorId = randomUUID();
  report(error, errorId);
  return refusalToFailure(new Refusal('internal', 'Something is wrong on our side.', { more: { error_id: errorId } }));
}

function refusalToFailure(refusal: Refusal): Failure {
  const { code, message, details } = refusal;
  const { field, faults, retryAfter, more, headers } = details;
  // A field may be called like a code, such as `busy`. The refusal of a field is always a 400.
  const [ofCode, retryable] = refusal instanceof FieldRefusal ? MALFORMED : ERROR_CODES[code as ServiceErrorCode];
  const status = refusal.details.status ?? ofCode;
  const hint = details.hint ?? (refusal instanceof FieldRefusal ? undefined : REMEDIES[code as ServiceErrorCode]);
  return {
    status,
    body: {
      ok: false,
      error: message,
      code,
      retryable: details.retryable ?? retryable,
      ...(field !== undefined && { field }),
      ...(faults && { reason: faults[0]!.reason, fields: faults.map(fault => ({ ...fault })) }),
      ...(hint !== undefined && { hint }),
      ...(retryAfter !== undefined && { retry_after: retryAfter }),
      ...more,
    },
    anchor: refusal instanceof FieldRefusal ? INVALID_FIELD : code,
    headers: { ...headers, ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }) },
  };
}

function translateFastifyError(error: unknown): Refusal | undefined {
  const { code, cause } = (error ?? {}) as { code?: string; cause?: { code?: string } };
  switch (code ?? cause?.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return new Refusal('body_too_large', 'The body is larger than 64 KiB.');
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return new Refusal('content_type', 'The body must be application/json.');
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
    case 'FST_ERR_CTP_EMPTY_JSON_BODY':
      return new Refusal('body', 'The body could not be read.', { field: 'body' });
    case 'FST_ERR_BAD_URL':
      return new FieldRefusal('path', 'The path is not percent-encoded UTF-8.', 'malformed');
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return new Refusal('not_found', 'The id in the path is longer than any id.');
    default:
      return undefined;
  }
}

/**
 * Returns the failure as a problem document (RFC 9457): `type` is the address of the code at this service, `title` the
 * status in words, `detail` the error sentence.
 */
export function toProblemDocument({ status, body, anchor }: Failure, baseUrl: string): JsonObject {
  const title = STATUS_CODES[status] ?? String(status);
  return { type: problemType(baseUrl, anchor), title, status, detail: body['error'] ?? '', ...body };
}
