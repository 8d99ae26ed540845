import type { OtherRoute, ReadRoute, WriteRoute } from '#libs/http/routes.js';
import { type Code, CODES, PAYMENT_CODES } from '#libs/kernel/codes.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { INVALID_FIELD, problemType } from '#libs/kernel/problem-type.js';
import { FAULTS_MAX, REASONS } from '#libs/kernel/reasons.js';
import { REMEDIES } from '#libs/kernel/remedies.js';

const EVERYWHERE: readonly Code[] = ['internal', 'unavailable', 'starting'];
/** What is limited: all but what watches the process, and what a development machine alone has. */
const LIMITED: readonly Code[] = ['rate_limited', ...EVERYWHERE];
const READING: readonly Code[] = ['overloaded', 'not_yet_visible', 'projection_stopped'];
const BODY: readonly Code[] = ['body', 'field_name', 'content_type', 'body_too_large'];
const WRITING: readonly Code[] = ['in_progress', 'idempotency_conflict', 'busy', 'unreadable_event', 'upgrade_needed'];
const SIGNING: readonly Code[] = [
  'unsigned',
  'timestamp_out_of_window',
  'signature_mismatch',
  'wrong_origin',
  'nonce_used',
];
const KNOWING: readonly Code[] = ['unknown_muse', 'forgotten', 'no_key', 'bad_token', 'sibling_unreachable'];
/** The codes of every paid endpoint. A code of one endpoint alone is listed by that endpoint. */
const PAYING: readonly Code[] = [
  'payment_required',
  ...(Object.keys(PAYMENT_CODES) as Code[]).filter(code => code !== 'wallet_taken'),
];

const CALLERS: { readonly [caller in WriteRoute['caller']]: readonly Code[] } = {
  anyone: [],
  newKey: [...SIGNING, 'forgotten'],
  known: [...SIGNING, ...KNOWING],
  joined: [...SIGNING, ...KNOWING],
};

/** Every code that a write can answer, besides the names of its fields. */
export function codesOfWrite(route: WriteRoute): Code[] {
  const { caller, access, paid, isRead, describe } = route;
  const own = describe.codes ?? [];
  const reading: Code[] = isRead ? ['overloaded'] : [];
  return distinct([
    ...BODY,
    ...CALLERS[caller],
    ...access.codes,
    ...reading,
    ...WRITING,
    ...(paid ? PAYING : []),
    ...own,
    ...LIMITED,
  ]);
}

export const codesOfRead = ({ describe }: ReadRoute): Code[] =>
  distinct([...READING, ...(describe.codes ?? []), ...LIMITED]);

export function codesOfOther({ method, whileStarting, describe }: OtherRoute): Code[] {
  return distinct([
    ...(method === 'POST' ? BODY.filter(code => code !== 'field_name') : []),
    ...(method === 'GET' && !whileStarting ? (['overloaded'] as const) : []),
    ...(describe.codes ?? []),
    ...EVERYWHERE,
  ]);
}

const distinct = (codes: readonly Code[]) => [...new Set(codes)];

interface CodeRow {
  readonly code: Code;
  readonly status: number;
  readonly retryable: boolean;
  readonly meaning: string;
  /** What to do about it. */
  readonly remedy: string;
}

/** All codes as rows, by status. */
export function codeRows(): CodeRow[] {
  const rows = Object.entries(CODES).map(([code, [status, retryable, meaning]]) => ({
    code: code as Code,
    status,
    retryable,
    meaning,
    remedy: REMEDIES[code as Code],
  }));
  return rows.sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1));
}

/** Codes by the status that they come with. */
export function byStatus(codes: readonly Code[]): Map<number, Code[]> {
  const groups = new Map<number, Code[]>();
  for (const code of codes) {
    const [status] = CODES[code];
    groups.set(status, [...(groups.get(status) ?? []), code]);
  }
  return groups;
}

/** What is wrong with one field. */
export const FIELD_FAULT: JsonObject = {
  type: 'object',
  properties: {
    field: { type: 'string', description: 'As the request names it; a header in small letters' },
    reason: { enum: Object.keys(REASONS), description: 'A stable word: see Errors' },
    error: { type: 'string', description: 'A sentence for a person' },
  },
  required: ['field', 'reason', 'error'],
};

/** The members of every failure. */
export const FAILURE: JsonObject = {
  type: 'object',
  properties: {
    ok: { const: false },
    error: { type: 'string', description: 'A sentence for a person' },
    code: { type: 'string', description: 'A stable word; for a 400 about a field, that field’s name' },
    retryable: { type: 'boolean', description: 'Whether the same request can succeed later' },
    field: { type: 'string', description: 'The field or header at fault' },
    reason: { enum: Object.keys(REASONS), description: 'With a 400 about fields: what is wrong with `field`' },
    fields: {
      type: 'array',
      description: `Every field that is wrong, ${FAULTS_MAX} at most; the first is \`field\``,
      items: { $ref: '#/components/schemas/FieldFault' },
    },
    hint: { type: 'string', description: 'What to do about it; by default what Errors says of the code' },
    retry_after: { type: 'integer', minimum: 0, description: 'Seconds; also in the header' },
    server_time: { type: 'integer', description: 'With `timestamp_out_of_window`: unix ms' },
    canonical_message_preview: { type: 'string', description: 'With `signature_mismatch`: the text that was checked' },
    origin: { type: 'string', description: 'With `wrong_origin`: the address of this service' },
    suggestions: { type: 'array', items: { type: 'string' }, description: 'With `name_taken`: names that are free' },
    retry: { type: 'object', description: 'With `name_taken` at quickstart: `body` is ready to be sent' },
    muse_ids: { type: 'array', items: { type: 'string' }, description: 'With `ambiguous_name`' },
    limit: { type: 'string', description: 'With `rate_limited`: which limit' },
    error_id: { type: 'string', description: 'With `internal`: stands in the log of the service' },
  },
  required: ['ok', 'error', 'code', 'retryable'],
};

/** The same as an RFC 9457 document. */
export const problemOn = (baseUrl: string): JsonObject => ({
  allOf: [{ $ref: '#/components/schemas/Failure' }],
  properties: {
    type: {
      type: 'string',
      format: 'uri',
      description: `The address of the code, as \`${problemType(baseUrl, 'not_found')}\`; of a field \`#${INVALID_FIELD}\``,
    },
    title: { type: 'string', description: 'The status in words' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'The same as `error`' },
  },
  required: ['type', 'title', 'status', 'detail'],
});
