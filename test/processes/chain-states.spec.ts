import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { describeChains } from '#libs/payments/chain-state.js';
import { DEV_RELAYER_KEY } from '#libs/payments/devchain/accounts.js';
import { DevChain } from '#libs/payments/devchain/dev-chain.js';
import { EthersChain } from '#libs/payments/ethers.chain.js';
import { RAILS } from '#libs/payments/rails.js';
import { RpcAddress } from '#libs/payments/rpc.js';
import { settingsIn } from '../world.js';
import { ServiceProcess } from '../world/service-process.js';

const DEAD = 'http://127.0.0.1:9';
/** A contract that returns the number one for every call. */
const ANSWERS_ONE = '0x600160005260206000f3';
const START_MS = 60_000;
const usdc = RAILS.find(({ short }) => short === 'base')!;
const { privateKey: emptyKey, address: emptyRelayer } = Wallet.createRandom();
let folder: string;
let chain: DevChain;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'chains-'));
  chain = await DevChain.start({ folder: join(folder, 'chain'), ports: [0, 0] });
});
afterAll(async () => {
  await chain.stop();
  rmSync(folder, { recursive: true, force: true });
});

const url = (short: string) => chain.rpc[short]!;
const stateOf = async (urls: readonly string[], key = DEV_RELAYER_KEY) =>
  (await describeChains({ chains: [new EthersChain(usdc, urls, key)], rpc: { base: urls } }))[0]!;

test('reports that a chain is ready and how many transactions its gas covers', async () => {
  expect(await stateOf([url('base')])).toMatch(/^base: ready, chain 8453, USDC, gas for [\d,]+ transactions\.$/);
});

test('names an unreachable address next to a working one, without the key in its path', async () => {
  const state = await stateOf([`${DEAD}/v2/secret-key-of-mine`, url('base')]);
  expect(state).toMatch(/^base: ready, .* http:\/\/127\.0\.0\.1:9 does not answer\.$/);
});

test('names an unresponsive address next to a working one', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const address = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  expect(await stateOf([url('base'), address])).toMatch(new RegExp(`^base: ready, .* ${address} does not answer\\.$`));
  silent.close();
});

test('names what cannot work while no address responds', async () => {
  expect(await stateOf([DEAD])).toBe(
    'base: cannot be used. http://127.0.0.1:9 does not answer. ' +
      'Payments in USDC get 503 until it answers; pending payments wait.',
  );
});

test('names the chain of a node that belongs to another chain', async () => {
  const address = url('robinhood').replace(/\/$/, '');
  expect(await stateOf([address])).toContain(`base: cannot be used. ${address} is a node of chain 4663, not 8453.`);
});

test('reports a relayer without gas and the payments it refuses', async () => {
  expect(await stateOf([url('base')], emptyKey)).toBe(
    `base: the relayer ${emptyRelayer} has gas for 0 transactions; it needs gas for at least 10. ` +
      'Payments in USDC that it would send get 503.',
  );
});

test('reports a token with another domain separator', async () => {
  const node = new RpcAddress(url('base'));
  const code = await node.call('eth_getCode', usdc.asset, 'latest');
  await node.call('anvil_setCode', usdc.asset, ANSWERS_ONE);
  expect(await stateOf([url('base')])).toBe(
    `base: ${usdc.asset} is not USDC: its domain separator differs. No payment in USDC can settle.`,
  );
  await node.call('anvil_setCode', usdc.asset, code);
});

test(
  'prints the state of each chain when the service starts',
  async () => {
    const [keyFile, data] = [join(folder, 'relayer.key'), mkdtempSync(join(folder, 'data-'))];
    writeFileSync(keyFile, `${DEV_RELAYER_KEY}\n`, { mode: 0o600 });
    writeFileSync(join(data, 'roles.json'), '[]');
    const service = await ServiceProcess.whole(data, {
      ...settingsIn(data),
      RATE_LIMITS: '',
      TEST_CLOCK_FILE: '',
      CHAIN: 'rpc',
      RELAYER_KEY_FILE: keyFile,
      BASE_RPC_URL: DEAD,
      ROBINHOOD_RPC_URL: url('robinhood'),
      SERVICE_WALLET: emptyRelayer,
    });
    await service.stop();
    expect(service.said).toMatch(/\n {2}chain {4}robinhood: ready, chain 4663, USDG, gas for /);
    expect(service.said).toMatch(/\n {2}chain {4}base: cannot be used\. http:\/\/127\.0\.0\.1:9 does not answer\./);
  },
  START_MS,
);
