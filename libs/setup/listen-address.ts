import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';
import { literalAddress } from '#libs/platform/safe-fetch/address.js';
import { commandFor } from '#libs/terminal/command-line.js';
import type { Settings } from './settings.js';

/** Listening addresses, and the address that reaches each of them on this machine. */
const WILDCARDS: { readonly [host: string]: string } = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export const isWildcard = (host: string): boolean => Object.hasOwn(WILDCARDS, host);

/** Names other than `localhost` may be addresses that other machines reach. */
export function isLoopback(host: string): boolean {
  const literal = literalAddress(host);
  return literal === null ? host === 'localhost' : ipaddr.process(literal).range() === 'loopback';
}

/** Puts an IPv6 address into brackets (RFC 3986, 3.2.2). */
export function localAddress(host: string, port: number | string): string {
  const callableHost = WILDCARDS[host] ?? host;
  return `http://${isIPv6(callableHost) ? `[${callableHost}]` : callableHost}:${port}`;
}

const PORT_MAX = 65_535;

/** Checks the port before stores and chains are started in vain. */
export async function requireFreePort({ host, port }: Pick<Settings, 'host' | 'port'>, app: string): Promise<void> {
  if (port === 0) return;
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return;
    const freePort = port < PORT_MAX ? port + 1 : 0;
    throw new Error(`Port ${port} is in use. Start on another port: PORT=${freePort} ${commandFor(app)}`, {
      cause: error,
    });
  } finally {
    server.close();
  }
  await once(server, 'close');
}
