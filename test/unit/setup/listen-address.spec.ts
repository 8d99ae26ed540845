import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect, test } from '@jest/globals';
import { requireFreePort } from '#libs/setup/listen-address.js';

const HOST = '127.0.0.1';

async function occupy(port: number) {
  const server = createServer().listen(port, HOST);
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

test('the port that the refusal names is free, even if the next one is in use', async () => {
  const { server: one, port } = await occupy(0);
  const { server: other } = await occupy(port + 1);
  const refusal = await requireFreePort({ host: HOST, port }, 'start').catch((error: unknown) => error as Error);
  const [, named] = /^Port \d+ is in use\. Start on another port: PORT=(\d+) /.exec(
    String((refusal as Error).message),
  )!;
  expect(Number(named)).toBeGreaterThan(port + 1);
  await expect(requireFreePort({ host: HOST, port: Number(named) }, 'start')).resolves.toBeUndefined();
  one.close();
  other.close();
});
