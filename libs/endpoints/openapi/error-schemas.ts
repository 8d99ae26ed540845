import type { OtherRoute, OtherStatuses, ReadRoute, WriteRoute } from '#libs/http/routes.js';
import { type ServiceErrorCode, ERROR_CODES, PAYMENT_ERROR_CODES } from '#libs/kernel/error-codes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { API_PREFIX, INVALID_FIELD, problemType } from '#libs/kernel/page-paths.js';
import { FIELD_FAULTS_MAX, FAULT_REASONS } from '#libs/kernel/field-faults.js';
import { REMEDIES } from '#libs/kernel/remedies.js';

const COMMON_CODES: readonly ServiceErrorCode[] = ['internal', 'unavailable', 'log_went_back', 'starting'];
/** Health checks and endpoints of the development chain have no limits. */
const LIMITED_CODES: readonly ServiceErrorCode[] = ['rate_limited', ...COMMON_CODES];
const READ_CODES: readonly ServiceErrorCode[] = ['overloaded', 'not_yet_visible', 'projection_stopped'];
const BODY_CODES: readonly ServiceErrorCode[] = ['body', 'field_name', 'content_type', 'body_too_large'];
const WRITE_CODES: readonly ServiceErrorCode[] = [
  'in_progress',
  'idempotency_conflict',
  'busy',
  'unreadable_event',
  'upgrade_needed',
];
const SIGNATURE_CODES: readonly ServiceErrorCode[] = [
  'unsigned',
  'timestamp_out_of_window',
  'signature_mismatch',
  'wrong_origin',
  'nonce_used',
  'unknown_field',
];
const IDENTITY_CODES: readonly ServiceErrorCode[] = [
  'unknown_muse',
  'forgotten',
  'no_key',
  'bad_token',
  'sibling_unreachable',
];
const PAID_CODES: readonly ServiceErrorCode[] = [
  'payment_required',
  'over_limit',
  ...(Object.keys(PAYMENT_ERROR_CODES) as ServiceErrorCode[]).filter(code => code !== 'wallet_taken'),
];

const CODES_BY_CALLER: { readonly [caller in WriteRoute['caller']]: readonly ServiceErrorCode[] } = {
  anyone: [],
  newKey: [...SIGNATURE_CODES, 'forgotten'],
  recoveryKey: [...SIGNATURE_CODES, 'unknown_muse', 'forgotten'],
  known: [...SIGNATURE_CODES, ...IDENTITY_CODES],
  joined: [...SIGNATURE_CODES, ...IDENTITY_CODES],
};

export function codesOfWrite(route: WriteRoute): ServiceErrorCode[] {
  const { path, caller, access, paid, isRead, byGet, describe } = route;
  const own = describe.codes ?? [];
  const reading: ServiceErrorCode[] = isRead ? ['overloaded'] : [];
  return distinct([
    ...BODY_CODES,
    ...(byGet ? codesOfQuery(path) : []),
    ...CODES_BY_CALLER[caller],
    ...access.codes,
    ...reading,
    ...WRITE_CODES,
    ...(paid ? PAID_CODES : []),
    ...own,
    ...LIMITED_CODES,
  ]);
}

const codesOfQuery = (path: string): ServiceErrorCode[] => (path.startsWith(API_PREFIX) ? ['unknown_parameter'] : []);

export const codesOfRead = ({ path, describe }: ReadRoute): ServiceErrorCode[] =>
  distinct([...codesOfQuery(path), ...READ_CODES, ...(describe.codes ?? []), ...LIMITED_CODES]);

export function codesOfOther({ method, path, whileStarting, describe }: OtherRoute): ServiceErrorCode[] {
  return distinct([
    ...(method === 'POST' ? BODY_CODES.filter(code => code !== 'field_name') : []),
    ...(method === 'GET' ? codesOfQuery(path) : []),
    ...(method === 'GET' && !whileStarting ? (['overloaded'] as const) : []),
    ...(describe.codes ?? []),
    ...COMMON_CODES,
  ]);
}

const distinct = (codes: readonly ServiceErrorCode[]) => [...new Set(codes)];

interface CodeRow {
  readonly code: ServiceErrorCode;
  readonly status: number;
  readonly retryable: boolean;
  readonly meaning: string;
  readonly remedy: string;
}

export function codeRows(): CodeRow[] {
  const rows = Object.entries(ERROR_CODES).map(([code, [status, retryable, meaning]]) => ({
    code: code as ServiceErrorCode,
    status,
    retryable,
    meaning,
    remedy: REMEDIES[code as ServiceErrorCode],
  }));
  return rows.sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1));
}

/** A code with another status at this endpoint may also come with its usual one, from an earlier check. */
export function groupByStatus(
  codes: readonly ServiceErrorCode[],
  others: OtherStatuses = {},
): Map<number, ServiceErrorCode[]> {
  const groups = new Map<number, ServiceErrorCode[]>();
  for (const code of codes)
    for (const status of [ERROR_CODES[code][0], others[code]])
      if (status !== undefined) groups.set(status, [...(groups.get(status) ?? []), code]);
  return groups;
}

export const FIELD_FAULT: JsonObject = {
  type: 'object',
  properties: {
    field: { type: 'string', description: 'Name of the field or, in lower case, of the header' },
    reason: { enum: Object.keys(FAULT_REASONS), description: 'Stable code, listed under Errors' },
    error: { type: 'string', description: 'Sentence for people' },
  },
  required: ['field', 'reason', 'error'],
};

export const RETRY: JsonObject = {
  type: 'object',
  description: 'With `name_taken` at quickstart: send its `body` to retry',
  properties: { body: { type: 'object', description: 'Fields of the request with a name that is free' } },
  required: ['body'],
};

export const FAILURE: JsonObject = {
  type: 'object',
  properties: {
    ok: { type: 'boolean', const: false, description: 'The request was refused or failed' },
    error: { type: 'string', description: 'Sentence for people' },
    code: { type: 'string', description: 'Stable code; for a 400 about a field, the name of the field' },
    retryable: { type: 'boolean', description: 'Whether the same request can succeed later' },
    field: { type: 'string', description: 'The field or header at fault' },
    reason: { enum: Object.keys(FAULT_REASONS), description: 'With a 400 about fields: the fault of `field`' },
    fields: {
      type: 'array',
      description: `All invalid fields, at most ${FIELD_FAULTS_MAX}; the first is \`field\``,
      items: { $ref: '#/components/schemas/FieldFault' },
    },
    hint: { type: 'string', description: 'What to do; by default the remedy of the code under Errors' },
    retry_after: {
      type: 'integer',
      minimum: 0,
      description: 'Seconds to wait before the next attempt; also in the header',
    },
    server_time: { type: 'integer', description: 'With `timestamp_out_of_window`: unix ms' },
    canonical_message_preview: { type: 'string', description: 'With `signature_mismatch`: the text that was checked' },
    origin: { type: 'string', description: 'With `wrong_origin`: the address of this service' },
    suggestion: {
      type: ['string', 'null'],
      description: 'With `unknown_parameter`: the parameter with the nearest name, or null',
    },
    suggestions: { type: 'array', items: { type: 'string' }, description: 'With `name_taken`: names that are free' },
    retry: { $ref: '#/components/schemas/Retry', description: 'A request that can be sent as it is' },
    muse_ids: {
      type: 'array',
      items: { type: 'string' },
      description: 'With `ambiguous_name`: the agents with that name',
    },
    limit: { type: 'string', description: 'With `rate_limited`: name of the limit' },
    error_id: { type: 'string', description: 'With `internal`: also in the log of the service' },
  },
  required: ['ok', 'error', 'code', 'retryable'],
};

const failure = { $ref: '#/components/schemas/Failure' };

/** Generators drop members beside an `allOf` of one schema, so they are a second one. */
export const extendFailure = (members: JsonObject): JsonObject => ({
  allOf: [failure, { type: 'object', ...members }],
});

export const buildProblemSchema = (baseUrl: string): JsonObject =>
  extendFailure({
    properties: {
      type: {
        type: 'string',
        format: 'uri',
        description: `Address of the code, such as \`${problemType(baseUrl, 'not_found')}\`; for a field \`#${INVALID_FIELD}\``,
      },
      title: { type: 'string', description: 'The status in words' },
      status: { type: 'integer', description: 'HTTP status' },
      detail: { type: 'string', description: 'Equal to `error`' },
    },
    required: ['type', 'title', 'status', 'detail'],
  });
