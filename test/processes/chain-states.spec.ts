import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { reportChains } from '#libs/payments/chain-state.js';
import { DEV_RELAYER_KEY } from '#libs/payments/devchain/accounts.js';
import { DevChain } from '#libs/payments/devchain/dev-chain.js';
import { EthersChain } from '#libs/payments/ethers.chain.js';
import { RAILS } from '#libs/payments/rails.js';
import { RpcAddress } from '#libs/payments/rpc.js';
import { settingsIn } from '../world.js';
import { ServiceProcess } from '../world/service-process.js';
import { listen } from '../listen.js';
import { makeFolder } from '../temporary-folder.js';

const DEAD = 'http://127.0.0.1:9';
/** A contract that returns the number one for every call. */
const ANSWERS_ONE = '0x600160005260206000f3';
const START_MS = 60_000;
const usdc = RAILS.find(({ short }) => short === 'base')!;
const { privateKey: emptyKey, address: emptyRelayer } = Wallet.createRandom();
const folder = makeFolder();
let chain: DevChain;
beforeAll(async () => {
  chain = await DevChain.start({ folder: join(folder, 'chain'), ports: [0, 0] });
});
afterAll(async () => {
  await chain.stop();
});

const url = (short: string) => chain.rpc[short]!;
/** Lines of the report about the chain of USDC. */
async function stateOf(urls: readonly string[], key = DEV_RELAYER_KEY): Promise<string[]> {
  const [report] = await reportChains({ chains: [new EthersChain(usdc, urls, key)], rpc: { base: urls } });
  const { verdict, parts, isReady } = report!;
  expect(isReady).toBe(verdict.startsWith('ready: '));
  return [verdict, ...parts.map(part => part.join(' '))];
}
const READY = 'ready: chain 8453, payments in USDC';
const IN_PART = 'works: chain 8453, payments in USDC; but not every node.';

test('reports that a chain is ready and how many transactions its gas covers', async () => {
  const gas = expect.stringMatching(/^relayer 0x\w{40}, gas for [\d,]+ transactions$/);
  expect(await stateOf([url('base')])).toEqual([READY, `node ${url('base')} answers`, gas]);
});

test('names an unreachable address next to a working one, without the key in its path', async () => {
  const [verdict, node, other] = await stateOf([`${DEAD}/v2/secret-key-of-mine`, url('base')]);
  expect([verdict, node, other]).toEqual([IN_PART, `node ${DEAD} does not answer`, `node ${url('base')} answers`]);
});

test('names an unresponsive address next to a working one', async () => {
  const silent = createServer();
  const address = await listen(silent);
  const state = await stateOf([url('base'), address]);
  expect([state[0], state[2]]).toEqual([IN_PART, `node ${address} does not answer`]);
  silent.close();
});

test('names what cannot work while no address responds', async () => {
  expect(await stateOf([DEAD])).toEqual([
    'cannot work: no node of chain 8453 answers. Payments in USDC get 503, and open ones wait.',
    `node ${DEAD} does not answer`,
    expect.stringMatching(/^relayer 0x\w{40}, gas unknown$/),
  ]);
});

test('names the chain of a node that belongs to another chain', async () => {
  const address = url('robinhood').replace(/\/$/, '');
  const [verdict, node] = await stateOf([address]);
  expect(verdict).toContain('cannot work: no node of chain 8453 answers.');
  expect(node).toBe(`node ${address} is a node of chain 4663, not 8453`);
});

test('reports a relayer without gas and the payments it refuses', async () => {
  const [verdict, , relayer] = await stateOf([url('base')], emptyKey);
  expect(verdict).toBe('cannot work: no relayer has gas. Payments in USDC get 503.');
  expect(relayer).toBe(`relayer ${emptyRelayer}, gas for 0 transactions: send it coin, it needs gas for 10`);
});

test('reports a token with another domain separator', async () => {
  const node = new RpcAddress(url('base'));
  const code = await node.call('eth_getCode', usdc.asset, 'latest');
  await node.call('anvil_setCode', usdc.asset, ANSWERS_ONE);
  const [verdict] = await stateOf([url('base')]);
  expect(verdict).toBe(`cannot work: ${usdc.asset} is not USDC, its domain separator differs. No payment can settle.`);
  await node.call('anvil_setCode', usdc.asset, code);
});

describe('a start with real chains', () => {
  const start = async (rpc: { readonly [name: string]: string }) => {
    const [keyFile, data] = [join(folder, 'relayer.key'), mkdtempSync(join(folder, 'data-'))];
    writeFileSync(keyFile, `${DEV_RELAYER_KEY}\n`, { mode: 0o600 });
    writeFileSync(join(data, 'roles.json'), '[]');
    const unset = { RATE_LIMITS: '', TEST_CLOCK_FILE: '', METRICS_PORT: '0' };
    const chain = { CHAIN: 'rpc', RELAYER_KEY_FILE: keyFile, SERVICE_WALLET: emptyRelayer };
    const service = await ServiceProcess.whole(data, { ...settingsIn(data), ...unset, ...chain, ...rpc });
    await service.stop();
    return service;
  };

  test(
    'reports each chain, its relayer, wallets, stores, money and addresses',
    async () => {
      const service = await start({ BASE_RPC_URL: DEAD, ROBINHOOD_RPC_URL: url('robinhood') });
      const { said: output, url: address } = service;
      const rows = [
        ['page', address],
        ['mcp', `${address}/mcp`],
        ['metrics', `${service.metricsUrl}/metrics`],
        ['money', 'real money (CHAIN=rpc)'],
        ['log', 'SQLite, ./data/events.db'],
        ['documents', 'SQLite, ./data/documents.db'],
        ['keys', 'SQLite, ./data/vault.db'],
        ['wallet', `${emptyRelayer} gets the fees`],
        ['robinhood', 'ready: chain 4663, payments in USDG'],
        ['base', 'cannot work: no node of chain 8453 answers. Payments in USDC get 503, and open ones wait.'],
        ['house', 'cannot pay wages: HOUSE_WALLET_KEY_FILE is not set.'],
      ];
      for (const [name, text] of rows) expect(output).toContain(`\n  ${name!.padEnd(11)}${text}\n`);
      expect(output).toMatch(
        new RegExp(`\n    node     ${DEAD} does not answer\n    relayer  0x\\w{40}, gas unknown\n`),
      );
      expect(output.split('\n').find(line => line.includes('Not everything works'))).toContain('operator doctor');
      expect(output).not.toContain('play money');
    },
    START_MS,
  );

  test(
    'names the setting of a chain that is off, and where the data stays',
    async () => {
      const service = await start({ ROBINHOOD_RPC_URL: url('robinhood') });
      expect(service.said).toContain(
        '\n  base       off: BASE_RPC_URL is not set, so there are no payments in USDC.\n',
      );
      expect(service.said).toMatch(/\nStopped\. Data kept in \.\/data\n$/);
    },
    START_MS,
  );
});
