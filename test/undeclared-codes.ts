import { codesOfRead, codesOfWrite } from '#libs/endpoints/openapi/error-schemas.js';
import { ERROR_CODES } from '#libs/kernel/error-codes.js';
import { ROUTES } from '#libs/service/routes.js';

const WRITES = new Map(ROUTES.writes.map(route => [route.path, new Set<string>(codesOfWrite(route))]));
const READS = ROUTES.reads
  .filter(({ path }) => path.startsWith('/api/'))
  .map(route => ({ path: new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`), codes: codesOfRead(route) }));

/** Codes about the HTTP request itself, which no endpoint lists. */
const OF_HTTP: ReadonlySet<unknown> = new Set(['http', 'method_not_allowed', 'headers_too_large', 'request_timeout']);

/** Returns the code of a refusal that the `errors` of its endpoint do not list. Null for a field or for HTTP itself. */
export function undeclaredCode(target: string, { ok, code }: { readonly [name: string]: unknown }): string | null {
  if (ok !== false || typeof code !== 'string' || OF_HTTP.has(code) || !Object.hasOwn(ERROR_CODES, code)) return null;
  const path = target.split('?')[0]!;
  const codes = WRITES.get(path) ?? READS.find(read => read.path.test(path))?.codes;
  return codes && !new Set<string>(codes).has(code) ? code : null;
}
