import { once } from 'node:events';
import type { AddressInfo, Server } from 'node:net';

/** Listens on a free local port and returns its address. */
export async function listen(server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
