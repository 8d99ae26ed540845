import { Refusal } from '#libs/kernel/refusal.js';
import { parseUrl } from '#libs/kernel/url.js';

/** The field in which a request says for which service it is meant, so that no other takes it. */
export const ORIGIN_FIELD = 'origin';

/** What one machine calls itself; `0.0.0.0` and `[::]` are what it listens on, and no names of it. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Scheme, host and port; null for what is no address. The loopback names are one. */
function originOf(address: string): string | null {
  const url = parseUrl(address);
  if (!url) return null;
  const { origin, protocol, hostname, port } = url;
  return LOOPBACK_HOSTS.has(hostname) ? `${protocol}//localhost:${port}` : origin;
}

/** Whether two addresses are of one scheme, host and port. */
export const isSameOrigin = (one: string, other: string): boolean =>
  originOf(one) !== null && originOf(one) === originOf(other);

/** Refuses a request that is meant for another service. `address` is the own one, as the world sees it. */
export function assertIntendedOrigin(address: string, origin: string | undefined): void {
  if (origin === undefined || originOf(origin) === originOf(address)) return;
  const right = new URL(address).origin;
  throw new Refusal('wrong_origin', `${ORIGIN_FIELD} is not ${right}: the request is meant for another service.`, {
    field: ORIGIN_FIELD,
    hint: 'Send origin with the address that you know the service by, or leave it out.',
    more: { origin: right },
  });
}
