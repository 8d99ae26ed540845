import { codesOfWrite } from '#libs/openapi/errors.js';
import { CODES } from '#libs/kernel/codes.js';
import { ROUTES } from '#libs/service/routes.js';

const DECLARED = new Map(ROUTES.writes.map(route => [route.path, new Set<string>(codesOfWrite(route))]));

/** The code of a refused write that the `errors` of its verb do not list; null for one of a field, or of HTTP itself. */
export function undeclaredCode(path: string, { ok, code }: { readonly [name: string]: unknown }): string | null {
  if (ok !== false || typeof code !== 'string' || code === 'http' || !Object.hasOwn(CODES, code)) return null;
  const declared = DECLARED.get(path.split('?')[0]!);
  return declared && !declared.has(code) ? code : null;
}
