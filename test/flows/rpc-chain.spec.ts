import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DevChain } from '#libs/payments/devchain/dev-chain.js';
import { RAILS } from '#libs/payments/rails.js';
import { readSettings } from '#libs/setup/settings.js';
import { send } from '../raw-agent.js';
import { Token } from '../token.js';
import { CLEAN, World } from '../world.js';

/** A service whose chains are not its own: RPC addresses, a relayer's key in a file, a wallet for the fees. */
const folder = mkdtempSync(join(tmpdir(), 'nodes-'));
const relayer = Wallet.createRandom();
const treasury = Wallet.createRandom().address;
const keyFile = join(folder, 'relayer.key');
let chain: DevChain;
let world: World;

const settings = (): { [name: string]: string } => ({
  CHAIN: 'rpc',
  BASE_RPC_URL: `http://127.0.0.1:9/,${chain.rpc['base']}`,
  ROBINHOOD_RPC_URL: chain.rpc['robinhood']!,
  RELAYER_KEY_FILE: keyFile,
  SERVICE_WALLET: treasury,
  // What is for the development chain alone stays as it is without being set.
  DEV_CHAIN_PORTS: '',
  RATE_LIMITS: '',
  TEST_CLOCK_FILE: '',
  FETCH_ALLOW: '',
});

beforeAll(async () => {
  writeFileSync(keyFile, `${relayer.privateKey}\n`, { mode: 0o600 });
  chain = await DevChain.start({ folder: join(folder, 'chain'), ports: [0, 0], funded: [relayer.address] });
  world = await World.start({ settings: settings() });
});
afterAll(async () => {
  await world.stop();
  await chain.stop();
  rmSync(folder, { recursive: true, force: true });
});

test.each(RAILS.map(({ name, short }) => [name, short]))('one job is paid on %s', async (rail, short) => {
  const [posting, working] = [Wallet.createRandom(), Wallet.createRandom()];
  await chain.faucet(posting.address);
  const poster = await world.agent(`poster on ${short}`, { wallet: posting.privateKey });
  const worker = await world.agent(`worker on ${short}`);
  await worker.join({ payoutAddress: working.address });
  const { role, payment } = await poster.postJob({
    title: 'A job',
    summary: 'Twenty characters at least.',
    done: 'a thing is done',
    budgetUsd: '10',
    rail: rail as 'usdc-base',
  });
  await worker.apply(role, 'Me.');
  const { hire } = await poster.hire(role, worker.museId);
  await expect(worker.deliver(hire, world.page('done'))).rejects.toMatchObject({ status: 400, code: 'url' });
  expect((await worker.deliver(hire, 'https://nobody.invalid/page')).digest).toBeNull();
  const paid = await poster.pay(hire);

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

test('there is no faucet, and the reads say nothing of a development chain', async () => {
  const asked = await send(world.url, '/api/faucet', { body: { wallet: treasury } });
  expect(asked).toMatchObject({ status: 404, body: { code: 'unknown_endpoint' } });
  const { body } = await send(world.url, '/api/x402');
  expect(body).toMatchObject({ rails: [{ pay_to: treasury }, { pay_to: treasury }] });
  expect(body).not.toHaveProperty('dev');
});

test.each(['RELAYER_KEY_FILE', 'SERVICE_WALLET'])('without %s it does not start', name => {
  expect(() => readSettings({ ...settings(), [name]: '' })).toThrow(name);
});

test.each(['RATE_LIMITS=off', 'FETCH_ALLOW=127.0.0.1:1', 'TEST_CLOCK_FILE=clock'])(
  'with %s it does not start',
  text => {
    const [name, value] = text.split('=') as [string, string];
    expect(() => readSettings({ ...settings(), [name]: value })).toThrow(name);
  },
);

test('both jobs can be audited', async () => expect(await world.audit()).toEqual(CLEAN));
