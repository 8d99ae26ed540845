import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { startService } from '#apps/gateway/service.js';
import { DevChain } from '#libs/payments/devchain/dev-chain.js';
import { RpcAddress } from '#libs/payments/rpc.js';
import { RAILS } from '#libs/payments/rails.js';
import { readSettings } from '#libs/setup/settings.js';
import { send } from '../raw-agent.js';
import { Token } from '../token.js';
import { readOffer } from '../x402.js';
import { CLEAN, World } from '../world.js';
import { makeFolder } from '../temporary-folder.js';

/** Runs a service on external chains: RPC addresses, a relayer key in a file, a wallet for the fees. */
const folder = makeFolder();
const relayer = Wallet.createRandom();
const treasury = Wallet.createRandom().address;
const keyFile = join(folder, 'relayer.key');
const PAGE = { headers: { accept: 'text/html' } };
const LOOK_MS = 250;
/** A contract that returns the number one for every call. */
const ANSWERS_ONE = '0x600160005260206000f3';
let chain: DevChain;
let world: World;

const settings = (): { [name: string]: string } => ({
  CHAIN: 'rpc',
  BASE_RPC_URL: `http://127.0.0.1:9/,${chain.rpc['base']}`,
  ROBINHOOD_RPC_URL: chain.rpc['robinhood']!,
  RELAYER_KEY_FILE: keyFile,
  SERVICE_WALLET: treasury,
  // Settings of the development chain stay unset.
  DEV_CHAIN_PORTS: '',
  RATE_LIMITS: '',
  TEST_CLOCK_FILE: '',
  FETCH_ALLOW: '',
});

const health = async () => (await send(world.url, '/api/health')).body;

/** Polls until a condition holds, limited by the timeout of the test. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await pause(LOOK_MS);
}

beforeAll(async () => {
  writeFileSync(keyFile, `${relayer.privateKey}\n`, { mode: 0o600 });
  chain = await DevChain.start({ folder: join(folder, 'chain'), ports: [0, 0], funded: [relayer.address] });
  world = await World.start({ settings: settings() });
});
afterAll(async () => {
  await world.stop();
  await chain.stop();
});

test.each(RAILS.map(({ name, short }) => [name, short]))('a job is paid on %s', async (rail, short) => {
  const [posting, working] = [Wallet.createRandom(), Wallet.createRandom()];
  await chain.fundWallet(posting.address);
  const poster = await world.agent(`poster on ${short}`, { wallet: posting.privateKey });
  const worker = await world.agent(`worker on ${short}`);
  await worker.join({ payoutAddress: working.address });
  const { role, payment } = await poster.job({
    title: 'A job',
    summary: 'Twenty characters at least.',
    done: 'a thing is done',
    budgetUsd: '10',
    rail: rail as 'usdc-base',
  });
  await worker.apply({ role, note: 'Me.' });
  const { hire } = await poster.hire({ role, to: worker.museId });
  await expect(worker.deliver({ hire, url: world.page('done') })).rejects.toMatchObject({ status: 400, code: 'url' });
  expect((await worker.deliver({ hire, url: 'https://nobody.invalid/page' })).digest).toBeNull();
  const paid = await poster.pay({ hire });

  const token = new Token(chain.rpc[short]!, rail);
  expect(await token.balanceOf(posting.address)).toBe(1_000_000_000n - 500_000n - 10_000_000n);
  expect(await token.balanceOf(treasury)).toBe(500_000n);
  expect(await token.balanceOf(working.address)).toBe(10_000_000n);
  expect(await token.transfers(posting.address, treasury)).toEqual([{ tx: payment!.tx, amount: 500_000n }]);
  expect(await token.transfers(posting.address, working.address)).toEqual([
    { tx: paid.payment!.tx, amount: 10_000_000n },
  ]);
  const sent = await token.call<{ from: string }>('eth_getTransactionByHash', paid.payment!.tx);
  expect(sent.from.toLowerCase()).toBe(relayer.address.toLowerCase());
});

test('a wrong token degrades health and is reported at the start', async () => {
  const node = new RpcAddress(chain.rpc['base']!);
  const { asset } = RAILS.find(({ name }) => name === 'usdc-base')!;
  const had = await node.call('eth_getCode', asset, 'latest');
  await node.call('anvil_setCode', asset, ANSWERS_ONE);
  try {
    await until(async () => (await health())['status'] === 'degraded');
    const rails = [{ domain_separator: 'ok' }, { rail: 'usdc-base', reachable: true, domain_separator: 'wrong' }];
    expect(await health()).toMatchObject({ ok: true, payments: { rails } });
    const lines: string[] = [];
    const log = pino({ level: 'error' }, { write: (line: string) => void lines.push(line) });
    const own = { ...settings(), DATA_DIR: join(folder, 'data'), PORT: '0' };
    const service = await startService(readSettings(own), log);
    await until(async () => lines.some(line => /"usdc-base".* unexpected domain separator/.test(line)));
    await service.stop();
  } finally {
    await node.call('anvil_setCode', asset, had);
  }
  await until(async () => (await health())['status'] === 'ok');
});

test('has no faucet, and no response mentions play money', async () => {
  const reply = await send(world.url, '/api/faucet', { body: { wallet: treasury } });
  expect(reply).toMatchObject({ status: 404, body: { code: 'unknown_endpoint' } });
  const { body } = await send(world.url, '/api/x402');
  expect(body).toMatchObject({ rails: [{ pay_to: treasury }, { pay_to: treasury }] });
  expect(body).not.toHaveProperty('dev');
  const feed = await send(world.url, '/api/feed?kind=hires');
  const urls = (feed.body['items'] as { kind: string; data: { url: string } }[]).flatMap(({ kind, data }) =>
    kind === 'receipt' ? [new URL(data.url).host] : [],
  );
  expect(urls.sort()).toEqual(['basescan.org', 'robinhoodchain.blockscout.com']);
  const offer = await send(world.url, '/api/verify', { body: {} });
  const pages = await Promise.all(['/', '/feed'].map(async path => (await fetch(world.url + path, PAGE)).text()));
  const allText = JSON.stringify([body, feed.body, offer.body, readOffer(offer), pages]);
  expect(allText).not.toMatch(/play.?money/i);
});

test('refuses a private address without naming a setting for development', async () => {
  const agent = await world.raw('hooked');
  const refused = await agent.post('webhook', { action: 'create', url: 'http://localhost:4000/hooks' });
  expect(refused).toMatchObject({ status: 400, body: { field: 'url' } });
  expect(refused.body).not.toHaveProperty('hint');
});

test.each(['RELAYER_KEY_FILE', 'SERVICE_WALLET'])('does not start without %s', name => {
  expect(() => readSettings({ ...settings(), [name]: '' })).toThrow(name);
});

test.each(['RATE_LIMITS=off', 'FETCH_ALLOW=127.0.0.1:1', 'TEST_CLOCK_FILE=clock'])('does not start with %s', text => {
  const [name, value] = text.split('=') as [string, string];
  expect(() => readSettings({ ...settings(), [name]: value })).toThrow(name);
});

test('the log of a service on external chains passes the audit', async () =>
  expect(await world.audit()).toEqual(CLEAN));
