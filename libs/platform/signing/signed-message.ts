import { fieldRule, rule } from '#libs/kernel/refusal.js';

/** Any other name could imitate a value or another line. */
export const FIELD_NAME = /^[a-z][a-z0-9_]{0,63}$/;

export const UNSIGNED_FIELDS: ReadonlySet<string> = new Set([
  'signature',
  'timestamp',
  'nonce',
  'muse_id',
  'x402_payment',
]);

/** Endpoints that sign with a new key, which is their fifth line. */
export const NEW_KEY_ENDPOINTS: ReadonlySet<string> = new Set(['register', 'identity']);

/** Null is signed as the empty string. */
export type SignableFields = { readonly [name: string]: string | null };

interface MessageParts {
  readonly tag: string;
  readonly endpoint: string;
  readonly timestamp: string;
  readonly nonce: string;
  /** The signing muse, or the new public key for `register` and `identity`. */
  readonly museId: string;
  readonly fields: SignableFields;
}

const utf8 = new TextEncoder();
const LONE_SURROGATE = /\p{Cs}/u;

/** Texts with lone surrogates could share a UTF-8 form, so they are not signable. */
function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

export function signerOf(endpoint: string, fields: SignableFields): string {
  return fields[NEW_KEY_ENDPOINTS.has(endpoint) ? 'public_key' : 'muse_id'] ?? '';
}

/** `name:length:value` of every signed field, sorted by name. Length in UTF-8 bytes. */
function fieldLines(fields: SignableFields): string[] {
  const names = Object.keys(fields).filter(name => !UNSIGNED_FIELDS.has(name));
  for (const name of names)
    rule(
      FIELD_NAME.test(name),
      'field_name',
      `The field name "${name}" cannot be signed; use a-z, 0-9 and _, starting with a letter.`,
      {
        field: name,
      },
    );
  return names.sort().map(name => fieldLine(name, fields[name] ?? ''));
}

function fieldLine(name: string, value: string): string {
  fieldRule(isWellFormed(value), name, `\`${name}\` must be well-formed Unicode.`, 'forbidden_characters');
  return `${name}:${utf8.encode(value).length}:${value}`;
}

/** Text to sign, joined by LF. Throws a `Refusal`: `field_name` for an invalid name, or one about the field's value. */
export function signedMessage({ tag, endpoint, timestamp, nonce, museId, fields }: MessageParts): string {
  const head = { tag, endpoint, timestamp, nonce, muse_id: museId };
  for (const [name, value] of Object.entries(head))
    fieldRule(!value.includes('\n'), name, `\`${name}\` must be a single line.`, 'forbidden_characters');
  return [...Object.values(head), ...fieldLines(fields)].join('\n');
}

/** Message that a recovery key signs to prove its possession. */
export const recoveryProof = (museId: string, publicKey: string): string =>
  `service-recovery-v1\n${museId}\n${publicKey}`;

/** Message that a new key signs to prove its possession. */
export const keyProof = (museId: string, publicKey: string): string => `service-key-v1\n${museId}\n${publicKey}`;
