import { writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { checkBrowserRpc, checkChains } from '#apps/operator/doctor/chains.js';
import { type Check, runCheck } from '#apps/operator/doctor/check.js';
import { doctor } from '#apps/operator/doctor/doctor.js';
import { checkPublicSettings, checkSiblings } from '#apps/operator/doctor/service.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { readSettings } from '#libs/setup/settings.js';
import { openStores } from '#libs/setup/stores.js';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import { LocalServer } from '../local-server.js';
import { SiblingNetwork } from '../sibling-network.js';
import { listen } from '../listen.js';
import { makeFolder } from '../temporary-folder.js';

type Environment = { readonly [name: string]: string };

const folder = makeFolder();
beforeAll(async () => {
  await (await openStores(readSettings({ DATA_DIR: folder }))).close();
});

const problems = (checks: readonly Check[]) => checks.filter(({ ok }) => !ok);

describe('the doctor and an event log', () => {
  async function findings(address: string, dataDir = folder) {
    const settings = { DATA_DIR: dataDir, PORT: '1', EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: address };
    const { json } = await doctor(readSettings(settings));
    return problems((json as unknown as { checks: Check[] }).checks);
  }

  test.each(['used', 'new'])('reports an unreachable one once for a %s folder and no follow-up error', async kind => {
    const dataDir = kind === 'used' ? folder : join(folder, 'new');
    expect(await findings('esdb://user:secret@127.0.0.1:1?tls=false', dataDir)).toEqual([
      {
        name: 'event log',
        ok: false,
        sentence: expect.stringMatching(/^The event log cannot be reached\. EVENTSTORE_URL names 127\.0\.0\.1:1\./),
        advice: expect.any(String),
      },
    ]);
  });

  test('reports a user without rights, once and without the password', async () => {
    const double = await EventStoreDouble.start();
    double.faults.always('denied');
    const checks = await findings(double.url.replace('esdb://', 'esdb://service:secret@'));
    await double.kill();
    expect(checks.map(({ name }) => name)).toEqual(['event log']);
    expect(checks[0]!.sentence).toMatch(
      /^The event log denies access to the user in EVENTSTORE_URL\. .*127\.0\.0\.1:\d+\. Correct user and password/,
    );
    expect(checks[0]!.sentence).not.toContain('secret');
  });

  test('reports a server that does not respond within 6 seconds', async () => {
    const sockets: Socket[] = [];
    const server = createServer(socket => void sockets.push(socket.on('error', () => undefined)));
    const { host } = new URL(await listen(server));
    const began = performance.now();
    const checks = await findings(`esdb://${host}?tls=false`);
    const tookMs = performance.now() - began;
    sockets.forEach(socket => socket.destroy());
    server.close();
    expect(checks.map(({ name }) => name)).toEqual(['event log']);
    expect(tookMs).toBeLessThan(6 * SECOND_MS);
  }, 30_000);

  test('hints at TLS when the server does not support it', async () => {
    const double = await EventStoreDouble.start();
    const [first, ...others] = await findings(double.url.replace('?tls=false', ''));
    await double.kill();
    expect(first!.sentence).toContain('The server does not speak TLS: add tls=false to EVENTSTORE_URL');
    expect(first!.sentence).not.toMatch(/SSL|routines|openssl/i);
    expect(others).toEqual([]);
  }, 30_000);
});

test('the doctor reports a chain node that hangs, within 8 seconds', async () => {
  const node = await new LocalServer().listen();
  const key = join(folder, 'key');
  writeFileSync(key, `0x${'11'.repeat(32)}`);
  const settings = { CHAIN: 'rpc', RELAYER_KEY_FILE: key, SERVICE_WALLET: `0x${'1'.repeat(40)}` };
  const began = performance.now();
  const checks = await checkChains(readSettings({ ...settings, BASE_RPC_URL: node.url, DATA_DIR: folder }));
  expect(performance.now() - began).toBeLessThan(8_000);
  expect(checks.every(({ ok, name }) => !ok && name === 'chain base')).toBe(true);
  expect(checks[0]!.sentence).toMatch(`The node of chain 8453 at ${node.url} does not answer.`);
  await node.stop();
});

describe('the doctor and a browser RPC', () => {
  const PAGES = 'https://jobs.example';
  const OPEN = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'content-type' };
  const BASE = '0x2105';

  let server: LocalServer | undefined;
  afterEach(() => server?.stop());

  async function node(chainId: string, headers: Environment): Promise<string> {
    server = await new LocalServer((request, response) => {
      response.writeHead(request.method === 'OPTIONS' ? 204 : 200, headers);
      response.end(request.method === 'OPTIONS' ? '' : JSON.stringify({ jsonrpc: '2.0', id: 1, result: chainId }));
    }).listen();
    return `${server.url}/`;
  }

  const findings = async (url: string) => {
    const checks = await checkBrowserRpc(readSettings({ BASE_URL: PAGES, BASE_BROWSER_RPC: url }));
    return problems(checks).map(({ name, sentence }) => [name, sentence]);
  };

  test('reports nothing when none is set', async () => {
    expect(await checkBrowserRpc(readSettings({ BASE_URL: PAGES }))).toEqual([]);
  });

  test.each([OPEN, { 'access-control-allow-origin': PAGES, 'access-control-allow-headers': 'accept, Content-Type' }])(
    'accepts one with the CORS headers %j',
    async headers => expect(await findings(await node(BASE, headers))).toEqual([]),
  );

  test('reports one of another chain', async () => {
    expect(await findings(await node('0x1', OPEN))).toEqual([
      ['browsers of base', expect.stringMatching(/is a node of chain 1\.$/)],
    ]);
  });

  test.each<Environment>([
    {},
    { 'access-control-allow-origin': '*' },
    { ...OPEN, 'access-control-allow-origin': 'https://others.example' },
  ])('reports one with the CORS headers %j', async headers => {
    const closed = `does not let pages of ${PAGES} read its answers.`;
    expect(await findings(await node(BASE, headers))).toEqual([['browsers of base', expect.stringContaining(closed)]]);
  });

  test('reports one that does not respond', async () => {
    expect(await findings('http://127.0.0.1:1/')).toEqual([['browsers of base', expect.stringContaining('failed')]]);
  });
});

describe('the doctor and a public address', () => {
  const sentences = async (environment: Environment) => {
    const checks = await checkPublicSettings(readSettings(environment));
    return problems(checks).map(({ sentence }) => sentence.split(' ')[0]);
  };

  test.each(['https://jobs.example', 'https://8.8.8.8', 'https://[2606:4700::1111]:8443/network'])(
    'objects to the default tag, dev chain and missing contact at %s',
    async address => {
      expect(await sentences({ BASE_URL: address })).toEqual(['MESSAGE_TAG', 'CHAIN', 'SECURITY_CONTACT']);
      const own = { BASE_URL: address, MESSAGE_TAG: 'jobs-v1' };
      expect(await sentences({ ...own, SECURITY_CONTACT: 'mailto:security@jobs.example' })).toEqual(['CHAIN']);
      expect(await sentences({ ...own, MAIL_DOMAIN: 'jobs.example' })).toEqual(['CHAIN']);
    },
  );

  test.each(['http://127.0.0.1:3000', 'http://localhost', 'http://[::1]:1', 'http://10.0.0.7', 'http://jobs.internal'])(
    'accepts the default settings at %s',
    async address => expect(await sentences({ BASE_URL: address })).toEqual([]),
  );

  test('accepts the default settings without an address', async () => expect(await sentences({})).toEqual([]));

  test('objects to a development service that other machines can reach', async () => {
    expect(await sentences({ HOST: '0.0.0.0' })).toEqual(['HOST=0.0.0.0']);
    expect(await sentences({ HOST: '0.0.0.0', BASE_URL: 'https://jobs.example' })).toContain('HOST=0.0.0.0');
  });
});

describe('the doctor and a sibling network', () => {
  let network: SiblingNetwork;
  beforeAll(async () => void (network = await SiblingNetwork.start()));
  afterAll(() => network.stop());

  const check = (environment: Environment) =>
    runCheck('siblings', 'Look at it.', () => checkSiblings(readSettings(environment)));

  test('reports nothing without one', async () => expect(await check({})).toEqual([]));

  test('accepts one that responds', async () =>
    expect(await check({ SIBLING_URL: network.url })).toMatchObject([{ name: 'siblings', ok: true }]));

  test('reports one that returns an error', async () => {
    network.faultyAnswer = response => void response.writeHead(500).end();
    expect(await check({ SIBLING_URL: network.url })).toMatchObject([
      { name: 'siblings', ok: false, sentence: expect.stringContaining('500') },
    ]);
  });

  test('reports a missing file of identities', async () =>
    expect(await check({ SIBLING_FILE: '/nowhere/identities.json' })).toMatchObject([
      { name: 'siblings', ok: false, advice: 'Look at it.' },
    ]));
});
