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
const PORTS_TRIED_MAX = 20;

/** Checks the port before stores and chains are started in vain. */
export async function requireFreePort({ host, port }: Pick<Settings, 'host' | 'port'>, app: string): Promise<void> {
  const error = port === 0 ? null : await tryToListen(host, port);
  if (error?.code !== 'EADDRINUSE') return;
  const freePort = await findFreePort(host, port + 1);
  throw new Error(`Port ${port} is in use. Start on another port: PORT=${freePort} ${commandFor(app)}`, {
    cause: error,
  });
}

/** Returns 0, for any port, if the next ones are in use too. */
async function findFreePort(host: string, first: number): Promise<number> {
  for (let port = first; port <= Math.min(first + PORTS_TRIED_MAX, PORT_MAX); port += 1)
    if ((await tryToListen(host, port)) === null) return port;
  return 0;
}

async function tryToListen(host: string, port: number): Promise<NodeJS.ErrnoException | null> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    return error as NodeJS.ErrnoException;
  }
  server.close();
  await once(server, 'close');
  return null;
}
