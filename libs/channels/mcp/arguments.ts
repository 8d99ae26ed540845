import { IDEMPOTENCY_KEY_FORM } from '#libs/http/idempotency-key.js';
import type { InnerRequest } from '#libs/http/inner-request.js';
import { type JsonObject, toText } from '#libs/kernel/json.js';
import { FieldRefusal, fieldRule } from '#libs/kernel/refusal.js';
import { encodePaymentHeader } from '#libs/payments/payment-headers.js';
import { pathNames, type Tool } from './tool.js';
import type { ReadRoute } from '#libs/http/routes.js';

export type Arguments = { readonly [name: string]: unknown };

/** Arguments for hosts that cannot set headers per call. */
export const TOKEN = 'token';
export const IDEMPOTENCY_KEY = 'idempotency_key';

/**
 * Builds the request of a call. Throws for an unfilled path name, and for a token or key that is not a string; the
 * route checks everything else.
 */
export function toRequest({ method, route }: Tool, args: Arguments, payment?: unknown): InnerRequest {
  const { [TOKEN]: token, [IDEMPOTENCY_KEY]: key, ...fields } = omitUnset(args);
  const authorization = header('authorization', textOf(TOKEN, token), text => `Bearer ${text}`);
  const { path } = route;
  if (method === 'GET')
    return { method, path: fillPath(path, fields), query: queryOf(route, fields), headers: authorization };
  const headers = {
    ...authorization,
    ...header('idempotency-key', idempotencyKeyIn(key)),
    ...header('payment-signature', payment, encodePaymentHeader),
  };
  return { method, path, fields: fields as JsonObject, headers };
}

const WAGES = ['budget', 'ask', 'wage'].flatMap(name => [
  [name, `${name}_usd`],
  [`${name}_usd`, name],
]);

/**
 * Leaves out arguments that hosts with strict schemas had to send: null, and the zero of one amount beside the same one
 * in US dollars, or the reverse. Zero alone stays, because the caller meant a price.
 */
function omitUnset(args: Arguments): Arguments {
  const isSet = (name: string) => (args[name] ?? '') !== '' && !isZero(args[name]);
  const isOmitted = (name: string) =>
    args[name] === null || (isZero(args[name]) && WAGES.some(([one, other]) => one === name && isSet(other!)));
  return Object.fromEntries(Object.entries(args).filter(([name]) => !isOmitted(name)));
}

const isZero = (value: unknown): boolean => /^-?0+(\.0*)?$/.test(toText(value));

function header<T>(
  name: string,
  value: T | undefined,
  text: (value: T) => string = String,
): { [name: string]: string } {
  return value === undefined ? {} : { [name]: text(value) };
}

function textOf(name: string, value: unknown): string | undefined {
  if (value === undefined || value === '') return undefined;
  if (typeof value !== 'string') throw new FieldRefusal(name, `\`${name}\` must be a string.`, 'not_text');
  return value;
}

/** Checked here so that the refusal names the argument: the endpoint would name the header. */
function idempotencyKeyIn(value: unknown): string | undefined {
  const key = textOf(IDEMPOTENCY_KEY, value);
  const isValid = key === undefined || IDEMPOTENCY_KEY_FORM.test(key);
  fieldRule(
    isValid,
    IDEMPOTENCY_KEY,
    `\`${IDEMPOTENCY_KEY}\` must have 22 to 128 characters of A-Z a-z 0-9 _ -.`,
    'malformed',
  );
  return key;
}

const fillPath = (path: string, fields: Arguments): string =>
  path.replace(/:(\w+)/g, (_all, name: string) => pathSegment(name, fields[name]));

const isParameter = ({ describe }: ReadRoute, name: string) => Object.hasOwn(describe.query ?? {}, name);

function queryOf(route: ReadRoute, fields: Arguments): { readonly [name: string]: string } {
  const values = Object.entries(fields).filter(([name]) => isParameter(route, name));
  return Object.fromEntries(values.map(([name, value]) => [name, toText(value)]));
}

/** Arguments that a read does not have. REST would refuse them; a write lists them itself. */
export function listIgnored({ method, route }: Tool, args: Arguments): string[] {
  if (method === 'POST') return [];
  const known = [TOKEN, IDEMPOTENCY_KEY, ...pathNames(route.path)];
  return Object.keys(omitUnset(args)).filter(name => !known.includes(name) && !isParameter(route, name));
}

/** A segment of dots would change the path (RFC 3986, 5.2.4). */
function pathSegment(name: string, value: unknown): string {
  const text = toText(value);
  if (text === '') throw new FieldRefusal(name, `\`${name}\` is needed.`, 'missing');
  if (/^\.+$/.test(text) || !text.isWellFormed())
    throw new FieldRefusal(name, `\`${name}\` is not a valid id or name.`, 'malformed');
  return encodeURIComponent(text);
}
