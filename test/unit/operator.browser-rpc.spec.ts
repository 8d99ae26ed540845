import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { checkBrowserRpc } from '#apps/operator/doctor/browser-rpc.js';
import { readSettings } from '#libs/setup/settings.js';

const PAGES = 'https://jobs.example';
const OPEN = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' };
const BASE = '0x2105';

let server: Server | undefined;
afterEach(() => new Promise(resolve => (server ? server.close(resolve) : resolve(undefined))));

async function node(chainId: string, headers: { readonly [name: string]: string }): Promise<string> {
  server = createServer((request, response) => {
    response.writeHead(request.method === 'OPTIONS' ? 204 : 200, headers);
    response.end(request.method === 'OPTIONS' ? '' : JSON.stringify({ jsonrpc: '2.0', id: 1, result: chainId }));
  });
  await new Promise<void>(resolve => server!.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const findings = async (url: string) => {
  const checks = await checkBrowserRpc(readSettings({ BASE_URL: PAGES, BASE_BROWSER_RPC: url }));
  return checks.filter(({ ok }) => !ok).map(({ name, sentence }) => [name, sentence]);
};

test('the doctor reports nothing when no browser RPC is set', async () => {
  expect(await checkBrowserRpc(readSettings({ BASE_URL: PAGES }))).toEqual([]);
});

test.each([OPEN, { 'access-control-allow-origin': PAGES, 'access-control-allow-headers': 'accept, Content-Type' }])(
  'the doctor accepts a browser RPC with the CORS headers %j',
  async headers => expect(await findings(await node(BASE, headers))).toEqual([]),
);

test('the doctor reports a browser RPC of another chain', async () => {
  expect(await findings(await node('0x1', OPEN))).toEqual([
    ['browsers of base', expect.stringMatching(/is a node of chain 1\.$/)],
  ]);
});

test.each<{ readonly [name: string]: string }>([
  {},
  { 'access-control-allow-origin': '*' },
  { ...OPEN, 'access-control-allow-origin': 'https://others.example' },
])('the doctor reports a browser RPC with the CORS headers %j', async headers => {
  const closed = `does not let pages of ${PAGES} read its answers.`;
  expect(await findings(await node(BASE, headers))).toEqual([['browsers of base', expect.stringContaining(closed)]]);
});

test('the doctor reports a browser RPC that does not respond', async () => {
  expect(await findings('http://127.0.0.1:1/')).toEqual([['browsers of base', expect.stringContaining('failed')]]);
});
