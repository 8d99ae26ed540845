import { IDEMPOTENCY_KEY_FORM } from '#libs/http/write-pipeline.js';
import type { InnerRequest } from '#libs/http/inner-request.js';
import { type JsonObject, toText } from '#libs/kernel/json.js';
import { FieldRefusal, fieldRule } from '#libs/kernel/refusal.js';
import { encodePaymentHeader } from '#libs/payments/payment-headers.js';
import { pathNames, type Tool } from './tool.js';

/** The arguments of a call as a model wrote them. */
export type Arguments = { readonly [name: string]: unknown };

/** What a tool takes besides the fields of its route, for hosts whose headers are fixed. */
export const TOKEN = 'token';
export const IDEMPOTENCY_KEY = 'idempotency_key';

/**
 * The request that a call stands for, with the payment that came with it. Throws where a name in the path has no value,
 * and where token or key are no texts; all else is for the route to check.
 */
export function toRequest({ method, route }: Tool, sent: Arguments, payment?: unknown): InnerRequest {
  const { [TOKEN]: token, [IDEMPOTENCY_KEY]: key, ...fields } = sent;
  const authorization = header('authorization', textOf(TOKEN, token), text => `Bearer ${text}`);
  const { path } = route;
  if (method === 'GET')
    return { method, path: fillPath(path, fields), query: queryOf(path, fields), headers: authorization };
  const headers = {
    ...authorization,
    ...header('idempotency-key', idempotencyKeyIn(key)),
    ...header('payment-signature', payment, encodePaymentHeader),
  };
  return { method, path, fields: fields as JsonObject, headers };
}

/** A header field, where it has a value. */
function header<T>(
  name: string,
  value: T | undefined,
  text: (value: T) => string = String,
): { [name: string]: string } {
  return value === undefined ? {} : { [name]: text(value) };
}

function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value !== 'string') throw new FieldRefusal(name, `${name} must be a string.`, 'not_text');
  return value;
}

/** Checked here, because the endpoint would name its header, which a model does not send. */
function idempotencyKeyIn(value: unknown): string | undefined {
  const key = textOf(IDEMPOTENCY_KEY, value);
  const holds = key === undefined || IDEMPOTENCY_KEY_FORM.test(key);
  fieldRule(
    holds,
    IDEMPOTENCY_KEY,
    `${IDEMPOTENCY_KEY} must have 22 to 128 characters of A-Z a-z 0-9 _ -.`,
    'malformed',
  );
  return key;
}

const fillPath = (path: string, fields: Arguments): string =>
  path.replace(/:(\w+)/g, (_all, name: string) => pathSegment(name, fields[name]));

function queryOf(path: string, fields: Arguments): { readonly [name: string]: string } {
  const names = pathNames(path);
  const given = Object.entries(fields).filter(([name, value]) => !names.includes(name) && (value ?? null) !== null);
  return Object.fromEntries(given.map(([name, value]) => [name, toText(value)]));
}

/** A value between two slashes. One of dots alone would be read as a way to another path (RFC 3986, 5.2.4). */
function pathSegment(name: string, value: unknown): string {
  const text = (value ?? null) === null ? '' : toText(value);
  if (text === '') throw new FieldRefusal(name, `${name} is needed.`, 'missing');
  if (/^\.+$/.test(text) || !text.isWellFormed())
    throw new FieldRefusal(name, `${name} names nothing that there can be.`, 'malformed');
  return encodeURIComponent(text);
}
