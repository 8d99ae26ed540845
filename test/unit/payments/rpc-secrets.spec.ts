import { writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkChains } from '#apps/operator/doctor/chains.js';
import { readArguments } from '#apps/auditor/arguments.js';
import { RpcPool, RpcAddress } from '#libs/payments/rpc.js';
import { readSettings } from '#libs/setup/settings.js';
import { LocalServer } from '../../local-server.js';
import { makeFolder } from '../../temporary-folder.js';

const [PATH_KEY, QUERY_KEY, NAME, PASSWORD] = ['k3y-of-the-path', 'k3y-of-the-query', 'an-account', 'p@ssw0rd'];
const SECRETS = [PATH_KEY, QUERY_KEY, NAME, PASSWORD, encodeURIComponent(PASSWORD)];
const withKeys = (host: string) =>
  `http://${NAME}:${encodeURIComponent(PASSWORD)}@${host}/v2/${PATH_KEY}?apikey=${QUERY_KEY}`;
const shows = (text: string) => SECRETS.filter(secret => text.includes(secret));
const wholeOf = (error: unknown) => inspect(error, { depth: 10 }) + String((error as Error).stack);

let host: string;
let status: number;
let arrival: { readonly url: string; readonly headers: IncomingHttpHeaders };
const node = new LocalServer((request, response) => {
  arrival = { url: request.url!, headers: request.headers };
  // Repeats the key in its error as some providers do.
  const message = `invalid key ${PATH_KEY} or ${QUERY_KEY} of ${NAME}:${PASSWORD}`;
  response.writeHead(status).end(JSON.stringify({ jsonrpc: '2.0', id: 0, error: { code: -32_000, message } }));
});
beforeAll(async () => void ({ host } = await node.listen()));
afterAll(() => node.stop());

const failure = (url: string) =>
  new RpcPool([url], 'The chain base', 1_000)
    .callFirst(address => address.call('eth_chainId'))
    .catch((error: unknown) => error);

test.each([
  ['refuses', 200],
  ['returns an error status', 500],
])('an error of a node that %s does not contain the keys of its address', async (_case, answered) => {
  status = answered;
  expect(shows(wholeOf(await failure(withKeys(host))))).toEqual([]);
});

test('an error of an unreachable node does not contain the keys of its address', async () => {
  const error = wholeOf(await failure(withKeys('127.0.0.1:1')));
  expect(error).toContain('The chain base');
  expect(shows(error)).toEqual([]);
});

test('sends name and password of an address as RFC 7617 defines', async () => {
  status = 200;
  await new RpcAddress(withKeys(host)).batch({ method: 'eth_chainId', params: [] });
  const authorization = `Basic ${Buffer.from(`${NAME}:${PASSWORD}`).toString('base64')}`;
  expect(arrival.url).toBe(`/v2/${PATH_KEY}?apikey=${QUERY_KEY}`);
  expect(arrival.headers).toMatchObject({ authorization, 'content-type': 'application/json' });
});

test('the doctor shows only scheme, host and port of an address', async () => {
  status = 200;
  const folder = makeFolder();
  const relayerKeyFile = join(folder, 'relayer');
  writeFileSync(relayerKeyFile, `0x${'11'.repeat(32)}\n`, { mode: 0o600 });
  const checks = await checkChains({ ...readSettings({}), chain: 'rpc', relayerKeyFile, baseRpc: [withKeys(host)] });
  expect(JSON.stringify(checks)).toContain(`http://${host} `);
  expect(checks.every(({ ok }) => !ok)).toBe(true);
  expect(shows(JSON.stringify(checks))).toEqual([]);
});

test.each(['BASE_RPC_URL', 'ROBINHOOD_RPC_URL'])(
  'an error about a wrong %s does not repeat the whole address',
  name => {
    for (const wrong of [withKeys(host).replace('http', 'wss'), `htp:/${PATH_KEY}`, `x ${PATH_KEY}`]) {
      const error = (() => {
        try {
          return readSettings({ [name]: wrong });
        } catch (caught) {
          return caught;
        }
      })();
      expect((error as Error).message).toContain(name);
      expect(shows(wholeOf(error))).toEqual([]);
    }
  },
);

test('an error about a wrong --rpc of the auditor does not repeat the address', () => {
  for (const wrong of [withKeys(host), `base=wss://a/${PATH_KEY}`, `base=${PATH_KEY}`])
    expect(() => readArguments(['verify', '--rpc', wrong])).toThrow(/^--rpc must be <chain>=<address>/);
});
