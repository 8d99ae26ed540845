import { expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '#libs/kernel/json.js';
import { DevChain } from '#libs/payments/devchain/dev-chain.js';
import { applyForEscrow, escrowHeader, hireWithEscrow } from '../escrow-payment.js';
import { type RawAgent, textOf } from '../raw-agent.js';
import { waitUntil } from '../wait-until.js';
import { CLEAN, World } from '../world.js';
import { operatorBeside } from './operator-beside.js';
import { makeFolder } from '../temporary-folder.js';

const RAIL = 'usdc-base';
const accounts = [Wallet.createRandom(), Wallet.createRandom()] as const;
const addresses = accounts.map(({ address }) => address.toLowerCase()) as [string, string];
const TIMEOUT_MS = 240_000;

/** A service with two accounts, on a chain that survives its restarts. */
class TwoAccounts {
  private constructor(
    private readonly folder: string,
    private readonly chain: DevChain,
    private readonly settings: { readonly [name: string]: string },
    readonly world: World,
  ) {}

  static async start(): Promise<TwoAccounts> {
    const folder = makeFolder();
    const ports: [number, number] = [0, 0];
    const chain = await DevChain.start({ folder: join(folder, 'chain'), ports, funded: accounts.map(a => a.address) });
    const settings = {
      CHAIN: 'rpc',
      BASE_RPC_URL: chain.rpc['base']!,
      ROBINHOOD_RPC_URL: chain.rpc['robinhood']!,
      RELAYER_KEY_FILE: join(folder, 'keys'),
      SERVICE_WALLET: Wallet.createRandom().address,
      DEV_CHAIN_PORTS: '',
      TEST_CLOCK_FILE: '',
      FETCH_ALLOW: '',
      RATE_LIMITS: '',
    };
    writeKeys(folder, accounts);
    return new TwoAccounts(folder, chain, settings, await World.start({ settings, chain }));
  }

  /** Restarts the service with the keys of these accounts only. */
  restartWith(...held: readonly { readonly privateKey: string }[]): Promise<void> {
    return this.world.restart({}, () => writeKeys(this.folder, held));
  }

  operator(...argv: string[]) {
    return operatorBeside(this.world, argv, this.settings);
  }

  async health(): Promise<JsonObject> {
    const { status, payments } = await this.world.read('/api/health');
    return { status: status!, accounts_without_key: (payments as JsonObject)['accounts_without_key']! };
  }

  async stop(): Promise<void> {
    await this.world.stop();
    await this.chain.stop();
  }
}

const writeKeys = (folder: string, held: readonly { readonly privateKey: string }[]) =>
  writeFileSync(join(folder, 'keys'), `${held.map(({ privateKey }) => privateKey).join('\n')}\n`, { mode: 0o600 });

const dataOf = async (world: World, type: string, hire: string) => {
  const events = await world.events();
  const event = events.find(each => each.type === type && (each.data as JsonObject)['hire'] === Number(hire));
  return event?.data as JsonObject | undefined;
};

const operatorOf = async (world: World, hire: string) =>
  ((await dataOf(world, 'EscrowFunded', hire))!['operator'] as string).toLowerCase();

async function deliverPost(worker: RawAgent, hire: string): Promise<void> {
  const post_id = textOf(await worker.ok('post', { text: `The page of hire ${hire}.` }), 'id');
  await worker.ok('deliver', { hire, post_id });
}

test(
  'an account is retired after its last escrow, which only its key can release',
  async () => {
    const service = await TwoAccounts.start();
    try {
      await tellStory(service);
      expect(await service.world.audit()).toEqual(CLEAN);
    } finally {
      await service.stop();
    }
  },
  TIMEOUT_MS,
);

async function tellStory(service: TwoAccounts): Promise<void> {
  const { world } = service;
  const [retired, kept] = addresses;
  const [poster, first, second] = await world.raws('poster', 'first worker', 'second worker');
  const { hire: held } = await hireWithEscrow(poster, first);
  expect(await operatorOf(world, held)).toBe(retired);

  const fields = await applyForEscrow(poster, second);
  const payment = await escrowHeader(poster, await poster.post('hire', fields));
  const refused = await service.operator('retire-account', retired);
  expect(refused).toMatchObject({ ok: false, json: { account: retired, open: 1, deadline: expect.any(Number) } });
  expect(refused.text).toContain('Keep its key: only it can end its 1 open escrows');
  const changed = await poster.post('hire', fields, payment);
  expect(changed).toMatchObject({ status: 409, body: { code: 'offer_changed' } });
  const hired = await poster.post('hire', fields, await escrowHeader(poster, await poster.post('hire', fields)));
  const other = textOf(hired, 'hire');
  expect(await operatorOf(world, other)).toBe(kept);

  await service.restartWith(accounts[1]);
  for (const agent of [poster, first, second]) agent.url = world.url;
  expect(await service.health()).toEqual({ status: 'degraded', accounts_without_key: [retired] });
  const listed = await service.operator('escrows');
  expect(listed).toMatchObject({
    ok: false,
    json: {
      escrows: expect.arrayContaining([
        expect.objectContaining({ account: retired, has_key: false, hire: Number(held) }),
        expect.objectContaining({ account: kept, has_key: true, hire: Number(other) }),
      ]),
    },
  });
  expect(listed.text).toContain(`${retired} holds 10 USD in 1 escrows: its key is missing`);
  for (const [worker, hire] of [
    [first, held],
    [second, other],
  ] as const) {
    await deliverPost(worker, hire);
    await poster.ok('accept', { hire });
  }
  await waitUntil(async () => (await world.eventTypes(`hire-${other}`)).includes('Paid'));
  expect(await dataOf(world, 'EscrowReleased', held)).toBeUndefined();

  await service.restartWith(...accounts);
  const before = await world.token(RAIL).balanceOf(first.wallet.address);
  await waitUntil(async () => (await world.eventTypes(`hire-${held}`)).includes('Paid'));
  const { payment: id } = (await dataOf(world, 'EscrowReleased', held))!;
  const submitted = (await world.events()).filter(({ type }) => type === 'EscrowSubmitted');
  const senders = submitted.filter(({ data }) => (data as JsonObject)['payment'] === id).map(({ data }) => data);
  expect(senders).toMatchObject([{ relayer: expect.stringMatching(new RegExp(retired, 'i')) }]);
  expect((await world.token(RAIL).balanceOf(first.wallet.address)) - before).toBeLessThanOrEqual(10_000_000n);

  expect(await service.operator('retire-account', retired)).toMatchObject({ ok: true, json: { open: 0 } });
  await service.restartWith(accounts[1]);
  expect(await service.health()).toEqual({ status: 'ok', accounts_without_key: [] });
  expect(await service.operator('retire-account', retired, '--undo')).toMatchObject({ ok: true });
  await expect(service.operator('retire-account', 'the first')).rejects.toThrow('must be an address');
}
