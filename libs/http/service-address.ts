import { Refusal } from '#libs/kernel/refusal.js';
import { parseUrl } from '#libs/kernel/url.js';

export class ServiceAddress {
  constructor(private readonly address: { readonly baseUrl: string }) {}

  get url(): string {
    return this.address.baseUrl;
  }

  /** Returns the origin that the caller used: a machine has several loopback names. */
  asCalled(host: string | readonly string[] | undefined): string {
    const { origin, protocol } = new URL(this.address.baseUrl);
    const called = `${protocol}//${String(host)}`;
    return isSameOrigin(called, origin) ? new URL(called).origin : origin;
  }
}

/** Names the service that a request is meant for, so that no other service accepts it. */
export const ORIGIN_FIELD = 'origin';

/** Leaves out `0.0.0.0` and `[::]`: they are listening addresses, not names of a host. */
const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

function originOf(address: string): string | null {
  const url = parseUrl(address);
  if (!url) return null;
  const { origin, protocol, hostname, port } = url;
  return LOOPBACK_HOSTS.has(hostname) ? `${protocol}//localhost:${port}` : origin;
}

export const isSameOrigin = (one: string, other: string): boolean =>
  originOf(one) !== null && originOf(one) === originOf(other);

export function assertIntendedOrigin(address: string, origin: string | undefined): void {
  if (origin === undefined || originOf(origin) === originOf(address)) return;
  const expected = new URL(address).origin;
  throw new Refusal(
    'wrong_origin',
    `\`${ORIGIN_FIELD}\` is not ${expected}: the request is meant for another service.`,
    {
      field: ORIGIN_FIELD,
      hint: 'Set `origin` to the address of the service that you call, or leave it out.',
      more: { origin: expected },
    },
  );
}
