import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { RpcPool, RpcAddress, UnusableAnswer } from '#libs/payments/rpc.js';
import { LocalServer } from '../../local-server.js';

const TIMEOUT_MS = 5_000;
const BIG = 'x'.repeat(1024 * 1024);
const CALL = { method: 'eth_chainId', params: [] };

let url: string;
let answer: (response: ServerResponse) => void;
let requestCount = 0;
const server = new LocalServer((_request, response) => {
  requestCount += 1;
  answer(response);
});
beforeAll(async () => void (url = `${(await server.listen()).url}/`));
afterAll(() => server.stop());
beforeEach(() => {
  requestCount = 0;
});

const result = (response: ServerResponse) => void response.end('{"jsonrpc":"2.0","id":0,"result":"0x1"}');

test('a call returns its result', async () => {
  answer = result;
  expect(await new RpcAddress(url).batch(CALL)).toEqual([{ result: '0x1' }]);
});

test.each<readonly [string, (response: ServerResponse) => void]>([
  ['has an error status and a body that never ends', response => void response.writeHead(503).write('busy')],
  ['redirects', response => void response.writeHead(307, { location: url }).end()],
  ['breaks off', response => void response.writeHead(200).write('{', () => response.destroy())],
  ['is not JSON', response => void response.end('<html>')],
  [
    'is longer than any receipt',
    response => {
      for (let sent = 0; sent < 9; sent += 1) response.write(BIG);
    },
  ],
])('tries the next address at once after a response that %s', async (_, broken) => {
  answer = response => (requestCount === 1 ? broken(response) : result(response));
  const began = performance.now();
  const rpc = new RpcPool([url, url], 'The chain', TIMEOUT_MS);
  expect(await rpc.callFirst(address => address.call('eth_chainId'))).toBe('0x1');
  expect(performance.now() - began).toBeLessThan(TIMEOUT_MS / 2);
  expect(requestCount).toBe(2);
});

test('rejects a call after its timeout', async () => {
  answer = () => undefined;
  await expect(new RpcAddress(url, 50).batch(CALL)).rejects.toThrow(UnusableAnswer);
});
