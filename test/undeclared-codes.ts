import { codesOfWrite } from '#libs/endpoints/openapi/errors.js';
import { CODES } from '#libs/kernel/codes.js';
import { ROUTES } from '#libs/service/routes.js';

const DECLARED = new Map(ROUTES.writes.map(route => [route.path, new Set<string>(codesOfWrite(route))]));

/** Codes about the HTTP request itself, which no verb lists. */
const OF_HTTP: ReadonlySet<unknown> = new Set(['http', 'method_not_allowed']);

/** Returns the code of a refused write that the `errors` of its verb do not list. Null for a field or for HTTP itself. */
export function undeclaredCode(path: string, { ok, code }: { readonly [name: string]: unknown }): string | null {
  if (ok !== false || typeof code !== 'string' || OF_HTTP.has(code) || !Object.hasOwn(CODES, code)) return null;
  const declared = DECLARED.get(path.split('?')[0]!);
  return declared && !declared.has(code) ? code : null;
}
