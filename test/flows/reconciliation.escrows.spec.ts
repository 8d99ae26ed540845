import { beforeAll, expect, test } from '@jest/globals';
import { Interface, Wallet } from 'ethers';
import type { JsonObject } from '#libs/kernel/json.js';
import { DEV_RELAYER_KEY } from '#libs/payments/devchain/accounts.js';
import { ESCROW } from '#libs/payments/escrow-abi.js';
import { ESCROW_CONTRACTS } from '#libs/payments/escrow-contracts.js';
import { RAILS } from '#libs/payments/rails.js';
import type { ReconciliationReport } from '#libs/payments/reconciliation/reconcile.js';
import { TIMING } from '#libs/payments/timing.js';
import { writeAddress } from '#libs/setup/address-file.js';
import { endNewestEscrow, sendAs } from '../escrow-on-chain.js';
import { hireWithEscrow } from '../escrow-payment.js';
import type { RawAgent } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { waitUntil } from '../wait-until.js';
import { operatorBeside, settingsBeside } from './operator-beside.js';

const RAIL = 'usdc-base';
const OPERATOR = new Wallet(DEV_RELAYER_KEY).address;
const { escrow: CONTRACT } = ESCROW_CONTRACTS['v1.1'];
// Quicker passes notice an end on the chain before it is compared.
const world = useWorld({ overrides: { payments: { timing: TIMING } } });
let poster: RawAgent;
let worker: RawAgent;
beforeAll(async () => {
  writeAddress(settingsBeside(world), world.url);
  [poster, worker] = await world.raws('poster', 'worker');
});

const token = () => world.token(RAIL);
const health = async () => (await world.read('/api/health')) as { status: string; payments: JsonObject };

async function run() {
  const { ok, json, text } = await operatorBeside(world, ['payments', '--reconcile'], { CHAIN: 'dev' });
  const { rails, differences } = json as ReconciliationReport;
  const { escrows } = rails.find(({ rail }) => rail === RAIL)!;
  return { ok, text, escrows, differences, kinds: differences.map(({ kind }) => kind) };
}

const explain = async (ids: readonly string[]) =>
  operatorBeside(world, ['payments', '--reconcile', '--acknowledge', ...ids], { CHAIN: 'dev' });

test('an honest run counts open escrows, and none that were released or returned', async () => {
  const open = await hireWithEscrow(poster, worker);
  const released = await hireWithEscrow(poster, worker);
  await worker.ok('deliver', { hire: released.hire, url: world.page('done') });
  await poster.ok('accept', { hire: released.hire });
  const returned = await hireWithEscrow(poster, worker);
  await worker.ok('end_hire', { hire: returned.hire, reason: 'No time for it any more.' });
  await waitUntil(async () => (await world.counts('EscrowReleased', 'EscrowReturned')).every(count => count > 0));
  const { ok, text, escrows, kinds } = await run();
  expect([kinds, ok]).toEqual([[], true]);
  expect(escrows).toEqual({ open: 1, log_usd: '10', chain_usd: '10' });
  expect(text).toContain('open escrows: 1, 10 USD in the log, 10 USD on the chain');
  await worker.ok('end_hire', { hire: open.hire, reason: 'No time for it any more.' });
  await waitUntil(async () => (await world.counts('EscrowReturned'))[0] === 2);
  expect((await run()).escrows).toMatchObject({ open: 0, chain_usd: '0' });
});

test('an escrow that left its contract behind the back of the service degrades health', async () => {
  await hireWithEscrow(poster, worker);
  const funded = (await world.events()).findLast(({ type }) => type === 'EscrowFunded')!;
  const { payment } = funded.data as { readonly payment: string };
  expect((await run()).kinds).toEqual([]);
  await endNewestEscrow(token(), 'void', OPERATOR);
  await world.advance(3_000);
  const { ok, differences, escrows } = await run();
  const found = differences.find(({ kind }) => kind === 'escrow_balance')!;
  expect([ok, found]).toMatchObject([false, { payment, account: poster.wallet.address }]);
  expect(found.sentence).toContain('the log says 10 USD, and its contract holds 0 USD');
  expect(escrows).toEqual({ open: 1, log_usd: '10', chain_usd: '0' });
  expect(await health()).toMatchObject({ status: 'degraded' });
  await explain(differences.map(({ id }) => id));
  expect(await health()).toMatchObject({ status: 'ok', payments: { differences: 0 } });
  expect((await run()).kinds).toEqual([]);
});

test('a token store that holds less than its escrows is named', async () => {
  await hireWithEscrow(poster, worker);
  const data = ESCROW.encodeFunctionData('getTokenStore', [OPERATOR]);
  const word = await token().call<string>('eth_call', { to: CONTRACT, data }, 'latest');
  const store = `0x${word.slice(-40)}`;
  const { asset } = RAILS.find(({ name }) => name === RAIL)!;
  await token().call('anvil_setBalance', store, '0xde0b6b3a7640000');
  const transfer = new Interface(['function transfer(address to, uint256 value)']);
  await sendAs(token(), store, asset, transfer.encodeFunctionData('transfer', [OPERATOR, 9_999_999]));
  await world.advance(3_000);
  const { differences } = await run();
  expect(differences).toMatchObject([{ kind: 'store_balance', account: OPERATOR }]);
  expect(differences[0]!.sentence).toMatch(/holds 0.000001 USD for open escrows of 10 USD/);
});
