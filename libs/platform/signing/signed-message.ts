import { fieldRule, rule } from '#libs/kernel/refusal.js';

/** What a field may be called; any other name could pose as a value, or as a line of its own. */
export const FIELD_NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** Members of a request's body that are never among the signed lines. */
export const UNSIGNED_FIELDS: ReadonlySet<string> = new Set([
  'signature',
  'timestamp',
  'nonce',
  'muse_id',
  'x402_payment',
]);

/** Endpoints that sign with a key nobody knows yet: their fifth line is that key. */
export const NEW_KEY_ENDPOINTS: ReadonlySet<string> = new Set(['register', 'identity']);

/** The fields of a body as they were sent; null is read and signed as the empty string. */
export type SignableFields = { readonly [name: string]: string | null };

export interface MessageParts {
  /** `service-v1`, or what the service is set to. */
  readonly tag: string;
  /** The last word of the endpoint's path. */
  readonly endpoint: string;
  /** Unix ms as text. */
  readonly timestamp: string;
  readonly nonce: string;
  /** The muse that signs; for `register` and `identity` the new public key. */
  readonly museId: string;
  /** The whole body or any part of it that holds every signed field: what is never signed is left out here. */
  readonly fields: SignableFields;
}

const utf8 = new TextEncoder();
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Whether the text has a UTF-8 form: two texts with lone surrogates could share one, so they are signed by nobody. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

/** Who stands in the fifth line: the muse, or the new public key where the endpoint signs with one. */
export function signerOf(endpoint: string, fields: SignableFields): string {
  return fields[NEW_KEY_ENDPOINTS.has(endpoint) ? 'public_key' : 'muse_id'] ?? '';
}

/** `name:length:value` of every signed field, sorted by name; the length is in UTF-8 bytes. */
function fieldLines(fields: SignableFields): string[] {
  const names = Object.keys(fields).filter(name => !UNSIGNED_FIELDS.has(name));
  for (const name of names)
    rule(FIELD_NAME.test(name), 'field_name', `A field cannot be called "${name}": it cannot be signed.`, {
      field: name,
    });
  // The names are ASCII by now, so the order of UTF-16 code units is the order of bytes.
  return names.sort().map(name => fieldLine(name, fields[name] ?? ''));
}

function fieldLine(name: string, value: string): string {
  fieldRule(isWellFormed(value), name, `The field ${name} is no well-formed Unicode text.`, 'forbidden_characters');
  return `${name}:${utf8.encode(value).length}:${value}`;
}

/**
 * The text whose UTF-8 bytes are signed: tag, endpoint, timestamp, nonce, muse_id and one line for every field, joined
 * by LF. Throws a `Refusal` `field_name` for a name that cannot be signed, and one that names the field for a value
 * that has no UTF-8 form. Pure, and the same for who signs and who checks.
 */
export function signedMessage({ tag, endpoint, timestamp, nonce, museId, fields }: MessageParts): string {
  const head = { tag, endpoint, timestamp, nonce, muse_id: museId };
  for (const [name, value] of Object.entries(head))
    fieldRule(!value.includes('\n'), name, `${name} is one line.`, 'forbidden_characters');
  return [...Object.values(head), ...fieldLines(fields)].join('\n');
}
