import { createHash } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, Server as TcpServer } from 'node:net';
import { type SafeFetchOptions, SafeFetch } from '#libs/platform/safe-fetch/safe-fetch.js';

export const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
const started: (Server | TcpServer)[] = [];
const fetchers: SafeFetch[] = [];

export async function listen<T extends Server | TcpServer>(server: T): Promise<number> {
  started.push(server);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

export const serve = (listener: RequestListener) => listen(createServer(listener));

export function fetcher(options: SafeFetchOptions): SafeFetch {
  const made = new SafeFetch(options);
  fetchers.push(made);
  return made;
}

export async function site(listener: RequestListener, options: SafeFetchOptions = {}) {
  const port = await serve(listener);
  const host = `127.0.0.1:${port}`;
  return { host, url: `http://${host}/`, fetcher: fetcher({ allow: [host], ...options }) };
}

export function resolver(...answers: string[][]) {
  const names: string[] = [];
  const resolve = (host: string) => {
    names.push(host);
    return Promise.resolve(answers[Math.min(names.length, answers.length) - 1]!);
  };
  return { names, resolve };
}

export async function closeAll(): Promise<void> {
  for (const made of fetchers.splice(0)) made.close();
  for (const server of started.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  }
}
