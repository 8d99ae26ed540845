import { LIST_FIELDS } from '#libs/validation/request-fields.js';
import type { RequestFields } from '#libs/kernel/event.js';
import { FieldRefusal, Refusal, addFaults } from '#libs/kernel/refusal.js';
import { FIELD_FAULTS_MAX, type FieldFault } from '#libs/kernel/field-faults.js';
import { FIELD_NAME } from '#libs/platform/signing/signed-message.js';

const SIGNATURE = /^[A-Za-z0-9_-]{86}$/;
/** Accepts any token text: a malformed token is refused later, like an unknown one. */
const BEARER = /^Bearer(?: +(.*))?$/i;

export type AuthenticationMode =
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'signed' }
  | { readonly kind: 'unsigned'; readonly why: string };

export function detectMode(
  authorization: string | undefined,
  body: { readonly [name: string]: unknown },
  missing = 'The request has no signature and no bearer token.',
): AuthenticationMode {
  const bearer = BEARER.exec(authorization ?? '');
  if (bearer) return { kind: 'bearer', token: bearer[1] ?? '' };
  const { signature } = body;
  if (typeof signature === 'string' && SIGNATURE.test(signature)) return { kind: 'signed' };
  if (signature === undefined || signature === null || signature === '') {
    return { kind: 'unsigned', why: missing };
  }
  const form = typeof signature === 'string' ? `has ${signature.length} characters` : 'is not a string';
  return { kind: 'unsigned', why: `The signature ${form}; it must be 64 bytes as 86 base64url characters.` };
}

type FaultFinder = (readable: RequestFields) => readonly FieldFault[];

/**
 * Returns the members of the body as strings. A signed body may only hold strings and null (read as the empty string).
 * An unsigned body may also hold numbers, booleans and arrays for list fields. Throws a 400 that names every bad field.
 */
export function readFields(
  body: { readonly [name: string]: unknown },
  signed: boolean,
  findOtherFaults: FaultFinder = () => [],
): RequestFields {
  const fields: { [name: string]: string } = {};
  let isReadableBody = true;
  for (const [name, value] of Object.entries(body)) {
    if (FIELD_NAME.test(name) && isReadable(name, value, signed)) fields[name] = value === null ? '' : String(value);
    else isReadableBody = false;
  }
  if (isReadableBody) return fields;
  const [first, ...others] = findUnreadableMembers(body, signed);
  throw addFaults(first!, () => [...others.flatMap(({ details }) => details.faults ?? []), ...findOtherFaults(fields)]);
}

/** A lone surrogate has no UTF-8 form, so signing, comparing and storing it would each use another value. */
function isReadable(name: string, value: unknown, signed: boolean): value is Scalar | readonly string[] {
  if (typeof value === 'string') return value.isWellFormed();
  if (value === null || signed) return value === null;
  return isScalar(value) ? isExactNumber(value) : isStringList(name, value) && value.every(each => each.isWellFormed());
}

const isStringList = (name: string, value: unknown): value is readonly string[] =>
  LIST_FIELDS.has(name) && Array.isArray(value) && value.every(each => typeof each === 'string');

/** A number that a double cannot hold was already rounded by the JSON parser (RFC 8259, section 6). */
const isExactNumber = (value: unknown) =>
  typeof value !== 'number' || Number.isSafeInteger(value) || (Number.isFinite(value) && !Number.isInteger(value));

function findUnreadableMembers(body: { readonly [name: string]: unknown }, signed: boolean): Refusal[] {
  const refusals: Refusal[] = [];
  for (const [name, value] of Object.entries(body)) {
    if (refusals.length === FIELD_FAULTS_MAX) break;
    if (!FIELD_NAME.test(name)) refusals.push(unreadableName(name));
    else if (!isReadable(name, value, signed)) refusals.push(unreadableValue(name, value, signed));
  }
  return refusals;
}

const SHOWN_NAME_CHARACTERS = 64;

function unreadableName(name: string): Refusal {
  const field = name.slice(0, SHOWN_NAME_CHARACTERS).toWellFormed();
  const sentence = `The field name "${field}" is invalid: use at most 64 characters of a-z, 0-9 and _, and start with a letter.`;
  return new Refusal('field_name', sentence, { field, faults: [{ field, reason: 'malformed', error: sentence }] });
}

function unreadableValue(name: string, value: unknown, signed: boolean): Refusal {
  if (typeof value === 'number' && !isExactNumber(value))
    return new FieldRefusal(
      name,
      `\`${name}\` has more digits than a JSON number can hold: send it as a string.`,
      'not_text',
    );
  const isText = typeof value === 'string' || (!signed && isStringList(name, value));
  const form = LIST_FIELDS.has(name) && !signed ? 'a string or an array of strings' : 'a string';
  if (!isText) return new FieldRefusal(name, `\`${name}\` must be ${form}.`, 'not_text');
  return new FieldRefusal(name, `\`${name}\` contains half of a surrogate pair.`, 'forbidden_characters');
}

export function readableFields(body: { readonly [name: string]: unknown }): RequestFields {
  const isRead = (name: string, value: unknown) => isScalar(value) || isStringList(name, value);
  const readable = Object.entries(body).filter(([name, value]) => FIELD_NAME.test(name) && isRead(name, value));
  return readFields(Object.fromEntries(readable), false);
}

const isText = (value: unknown) => typeof value === 'string' || value === null;
type Scalar = string | number | boolean | null;
const isScalar = (value: unknown): value is Scalar =>
  isText(value) || typeof value === 'number' || typeof value === 'boolean';
