import { isIPv6 } from 'node:net';

/** Addresses that a socket listens on and nobody calls, and what is called on the same machine instead. */
const WILDCARDS: { readonly [host: string]: string } = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Whether a host stands for every address of the machine. */
export const isWildcard = (host: string): boolean => Object.hasOwn(WILDCARDS, host);

/** The address under which a service is called on its own machine; IPv6 in brackets (RFC 3986, 3.2.2). */
export function localAddress(host: string, port: number | string): string {
  const called = WILDCARDS[host] ?? host;
  return `http://${isIPv6(called) ? `[${called}]` : called}:${port}`;
}
