import { once } from 'node:events';
import { createServer, isIPv6 } from 'node:net';
import { commandFor } from '#libs/terminal/command-line.js';
import type { Settings } from './settings.js';

/** Addresses that a socket listens on and nobody calls, and what is called on the same machine instead. */
const WILDCARDS: { readonly [host: string]: string } = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Whether a host stands for every address of the machine. */
export const isWildcard = (host: string): boolean => Object.hasOwn(WILDCARDS, host);

/** The address under which a service is called on its own machine; IPv6 in brackets (RFC 3986, 3.2.2). */
export function localAddress(host: string, port: number | string): string {
  const called = WILDCARDS[host] ?? host;
  return `http://${isIPv6(called) ? `[${called}]` : called}:${port}`;
}

const PORT_MAX = 65_535;

/** Throws a sentence if another program listens on the port, before stores and chains are started for nothing. */
export async function requireFreePort({ host, port }: Pick<Settings, 'host' | 'port'>, app: string): Promise<void> {
  if (port === 0) return;
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') return;
    const other = port < PORT_MAX ? port + 1 : 0;
    throw new Error(`Port ${port} is in use. Start on another one: PORT=${other} ${commandFor(app)}`, { cause: error });
  } finally {
    server.close();
  }
  await once(server, 'close');
}
