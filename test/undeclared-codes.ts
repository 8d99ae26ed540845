import { codesOfRead, codesOfWrite, groupByStatus } from '#libs/endpoints/openapi/error-schemas.js';
import { ERROR_CODES } from '#libs/kernel/error-codes.js';
import { ROUTES } from '#libs/service/routes.js';

type Groups = ReadonlyMap<number, readonly string[]>;

const WRITES = new Map<string, Groups>(
  ROUTES.writes.map(route => [route.path, groupByStatus(codesOfWrite(route), route.describe.statuses)]),
);
const READS = ROUTES.reads
  .filter(({ path }) => path.startsWith('/api/'))
  .map(route => ({
    path: new RegExp(`^${route.path.replace(/:\w+/g, '[^/]+')}$`),
    groups: groupByStatus(codesOfRead(route)),
  }));

/** Codes about the HTTP request itself, which no endpoint lists. */
const OF_HTTP: ReadonlySet<unknown> = new Set(['http', 'method_not_allowed', 'headers_too_large', 'request_timeout']);

/**
 * Returns the code of a refusal that its endpoint does not list, with its status if it lists only others. Null for a
 * field or for HTTP itself.
 */
export function undeclaredCode(
  target: string,
  { ok, code }: { readonly [name: string]: unknown },
  status?: number,
): string | null {
  if (ok !== false || typeof code !== 'string' || OF_HTTP.has(code) || !Object.hasOwn(ERROR_CODES, code)) return null;
  const path = target.split('?')[0]!;
  const groups = WRITES.get(path) ?? READS.find(read => read.path.test(path))?.groups;
  if (!groups) return null;
  const statuses = [...groups].filter(([, codes]) => codes.includes(code)).map(([each]) => each);
  if (statuses.length === 0) return code;
  return status === undefined || status === 400 || statuses.includes(status) ? null : `${code} ${status}`;
}
