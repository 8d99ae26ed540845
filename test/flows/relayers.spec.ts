import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { DevChain } from '#libs/payments/devchain/dev-chain.js';
import { RpcAddress } from '#libs/payments/rpc.js';
import { PaymentSubmitted } from '#libs/domain/payment.js';
import type { AgentClient } from '#libs/client/index.js';
import { send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { makeFolder } from '../temporary-folder.js';

const folder = makeFolder();
const [one, other] = [Wallet.createRandom(), Wallet.createRandom()];
const JOBS_MAX = 30;
const TIMEOUT_MS = 120_000;
let chain: DevChain;
let world: World;
let poster: AgentClient;

const keyFile = (name: string, ...keys: readonly string[]) => {
  const file = join(folder, name);
  writeFileSync(file, `${keys.join('\n')}\n`, { mode: 0o600 });
  return file;
};

beforeAll(async () => {
  chain = await DevChain.start({
    folder: join(folder, 'chain'),
    ports: [0, 0],
    funded: [one.address, other.address],
  });
  const limits = join(folder, 'limits.json');
  writeFileSync(limits, JSON.stringify({ job: { points: 1_000, seconds: DAY_MS / SECOND_MS } }));
  world = await World.start({
    settings: {
      CHAIN: 'rpc',
      BASE_RPC_URL: chain.rpc['base']!,
      ROBINHOOD_RPC_URL: chain.rpc['robinhood']!,
      RELAYER_KEY_FILE: [keyFile('one', one.privateKey), keyFile('other', other.privateKey)].join(', '),
      SERVICE_WALLET: Wallet.createRandom().address,
      DEV_CHAIN_PORTS: '',
      RATE_LIMITS: limits,
      TEST_CLOCK_FILE: '',
      FETCH_ALLOW: '',
    },
  });
  const wallet = Wallet.createRandom();
  await chain.fundWallet(wallet.address);
  const paying = { wallet: wallet.privateKey, rails: ['usdc-base'], retry: { attemptsMax: 1 } } as const;
  poster = await world.agent('poster', { ...paying, rails: ['usdc-base'] });
});
afterAll(async () => {
  await world.stop();
  await chain.stop();
});

const job = (title = 'A job') =>
  poster.job({
    title,
    summary: 'Twenty characters at least.',
    done: 'a thing is done',
    budgetUsd: '10',
    rail: 'usdc-base',
  });

/** Lists the accounts that sent transactions, in log order. */
async function senders(): Promise<string[]> {
  const { events } = await world.service.stores.journal.readAll('0'.repeat(20), 5_000, [PaymentSubmitted.type]);
  return events.map(({ data }) => (data as { relayer: string }).relayer.toLowerCase());
}

test(
  'both accounts send payments, each payment from a single account',
  async () => {
    for (let jobs = 1; new Set(await senders()).size < 2; jobs += 1) {
      expect(jobs).toBeLessThan(JOBS_MAX);
      await job();
    }
    expect(new Set(await senders())).toEqual(new Set([one, other].map(({ address }) => address.toLowerCase())));
    await Promise.all(Array.from({ length: 8 }, (_, n) => job(`Job ${n}`)));
    expect(await world.audit()).toEqual(CLEAN);
  },
  TIMEOUT_MS,
);

test(
  'an account without funds refuses only its own payments and shows in health',
  async () => {
    const node = new RpcAddress(chain.rpc['base']!);
    await node.call('anvil_setBalance', other.address, '0x1');
    const before = await senders();
    const outcomes: string[] = [];
    for (let jobs = 0; new Set(outcomes).size < 2; jobs += 1) {
      expect(jobs).toBeLessThan(JOBS_MAX);
      outcomes.push(
        await job().then(
          () => 'paid',
          ({ code }: { code: string }) => code,
        ),
      );
    }
    expect(new Set(outcomes)).toEqual(new Set(['paid', 'payments_unavailable']));
    const since = (await senders()).slice(before.length);
    expect(new Set(since)).toEqual(new Set([one.address.toLowerCase()]));
    const { body } = await send(world.url, '/api/health');
    expect(body).toMatchObject({
      status: 'degraded',
      payments: {
        rails: expect.arrayContaining([expect.objectContaining({ rail: 'usdc-base', transactions_left: 0 })]),
      },
    });
    expect(await world.audit()).toEqual(CLEAN);
  },
  TIMEOUT_MS,
);
