import { beforeAll, describe, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { DEV_RELAYER_KEY, DEV_SERVICE_WALLET } from '#libs/payments/devchain/accounts.js';
import { RAILS } from '#libs/payments/rails.js';
import { reconcile, type ReconciliationReport } from '#libs/payments/reconciliation/reconcile.js';
import { readReconciliation, saveReconciliation } from '#libs/payments/reconciliation/reconciliation-state.js';
import { SALES } from '#libs/service/sales.js';
import { writeAddress } from '#libs/setup/address-file.js';
import { MemoryVault } from '../doubles/memory-vault.js';
import { PURCHASES } from '../purchases.js';
import { requireOk } from '../raw-agent.js';
import { broadcastTransfer } from '../third-party.js';
import { useWorld } from '../use-world.js';
import { signPayload } from '../x402.js';
import { operatorBeside, settingsBeside } from './operator-beside.js';

const RAIL = 'usdc-base';
const RELAYER = new Wallet(DEV_RELAYER_KEY).address;
const world = useWorld();
let vault: MemoryVault;
beforeAll(async () => {
  writeAddress(settingsBeside(world), world.url);
  for (const [at, buy] of Object.values(PURCHASES).entries())
    requireOk(await (await buy(world, RAILS[at % 2]!.name)).buy());
});

type Log = Pick<EventLog, 'readAll' | 'head'>;

/** The log of a lying operator: each event as `change` shows it, or without those for which it returns null. */
function lyingLog(change: (event: StoredEvent) => StoredEvent | null): Log {
  const { log } = world.service.stores;
  return {
    head: () => log.head(),
    async readAll(after, limit, types) {
      const page = await log.readAll(after, limit, types);
      return { ...page, events: page.events.flatMap(event => change(event) ?? []) };
    },
  };
}

const withData = (event: StoredEvent, data: JsonObject): StoredEvent => ({
  ...event,
  data: { ...(event.data as JsonObject), ...data },
});

interface RunOptions {
  readonly log?: Log;
  readonly since?: ReadonlyMap<string, number>;
  readonly acknowledged?: readonly string[];
}

function run({ log = world.service.stores.log, ...options }: RunOptions = {}): Promise<ReconciliationReport> {
  const chains = RAILS.map(rail => ({
    rail: { ...rail, confirmations: 1, finality: 1 },
    urls: [world.token(rail.name).rpc],
  }));
  const paysService = (endpoint: string) => SALES.get(endpoint)?.payee === 'service';
  return reconcile({ log, vault, types: EVENT_TYPES, chains, paysService, now: world.now(), ...options });
}

const railOf = ({ rails }: ReconciliationReport) => rails.find(({ rail }) => rail === RAIL)!;
const kinds = ({ differences }: ReconciliationReport) => differences.map(({ kind }) => kind);

describe('the comparison of log and chains', () => {
  beforeAll(() => void (vault = new MemoryVault()));

  test('finds no difference after purchases of every kind', async () => {
    const report = await run();
    expect(report.differences).toEqual([]);
    const { payments, fees } = railOf(report);
    expect(payments).toBeGreaterThan(5);
    expect(fees).toMatchObject({ wallets: [DEV_SERVICE_WALLET.toLowerCase()] });
    expect(Number(fees.log_usd)).toBeGreaterThan(1);
    expect(fees.chain_usd).toBe(fees.log_usd);
  });

  test('goes on after the last block, and counts what a relayer sent and spent', async () => {
    const before = railOf(await run()).to_block;
    requireOk(await (await PURCHASES['job']!(world, RAIL)).buy());
    const report = await run();
    expect(railOf(report)).toMatchObject({ from_block: before + 1, payments: 1, fees: { log_usd: '0.5' } });
    const [relayer] = railOf(report).relayers;
    expect(relayer).toMatchObject({ account: RELAYER, transactions: 1, received_wei: '0' });
    expect(BigInt(relayer!.fees_wei!)).toBeGreaterThan(0n);
  });

  test('starts again if the block of its cursor is no longer on the chain', async () => {
    const state = await readReconciliation(vault);
    const moved = { ...state.rails[RAIL]!, hash: `0x${'0'.repeat(64)}` };
    await saveReconciliation(vault, { ...state, rails: { ...state.rails, [RAIL]: moved } });
    const report = await run();
    expect(railOf(report).payments).toBeGreaterThan(5);
    expect(report.differences).toEqual([]);
  });
});

describe('a lie in the log is named', () => {
  beforeAll(() => void (vault = new MemoryVault()));

  test('an amount that the chain did not move, until the log is right again', async () => {
    const log = lyingLog(event =>
      event.type === 'PaymentAccepted' && (event.data as JsonObject)['endpoint'] === 'pay'
        ? withData(event, { amount: '1' })
        : event,
    );
    const report = await run({ log });
    expect(kinds(report)).toEqual(['other_amount']);
    expect(report.differences[0]!.sentence).toMatch(/the log says 0.000001 USD, and the chain 10 USD/);
    expect(kinds(await run({ log }))).toEqual(['other_amount']);
    expect(kinds(await run())).toEqual([]);
  });

  test.each([
    ['no_transfer', { tx: `0x${'1'.repeat(64)}` }],
    ['other_block', { block: 1 }],
  ])('a settlement with another transaction or block: %s', async (kind, changed) => {
    vault = new MemoryVault();
    const isLie = ({ type, data }: StoredEvent) =>
      type === 'PaymentSettled' && (data as { payment: string }).payment.startsWith('8453');
    const report = await run({ log: lyingLog(event => (isLie(event) ? withData(event, changed) : event)) });
    expect(new Set(kinds(report))).toEqual(new Set([kind]));
    expect(report.differences.length).toBeGreaterThan(3);
  });

  test('a fee that went to a wallet which the log does not name', async () => {
    vault = new MemoryVault();
    const other = { wallet: `0x${'5'.repeat(40)}` };
    const log = lyingLog(event => (event.type === 'FeeWalletSet' ? withData(event, other) : event));
    expect(new Set(kinds(await run({ log })))).toEqual(new Set(['other_payee']));
  });

  test('a payment that the log leaves out, or calls expired', async () => {
    const isOf =
      (endpoint: string, ids = new Set<string>()) =>
      (event: StoredEvent) => {
        const { payment, endpoint: of } = event.data as { payment?: string; endpoint?: string };
        if (event.type === 'PaymentAccepted' && of === endpoint) ids.add(payment!);
        return payment !== undefined && ids.has(payment);
      };
    vault = new MemoryVault();
    const isIdentity = isOf('identity');
    const without = await run({ log: lyingLog(event => (isIdentity(event) ? null : event)) });
    expect(kinds(without)).toEqual(expect.arrayContaining(['no_event', 'unnamed_transactions']));
    vault = new MemoryVault();
    const isPromotion = isOf('promote');
    const expired = await run({
      log: lyingLog(event =>
        isPromotion(event) && event.type === 'PaymentSettled'
          ? { ...withData(event, { block: 9 }), type: 'PaymentExpired' }
          : event,
      ),
    });
    expect(expired.differences).toMatchObject([{ kind: 'no_event' }]);
    expect(expired.differences[0]!.sentence).toContain('but the log calls the payment');
  });

  test('no payment that is still open: its transfer waits for its event', async () => {
    vault = new MemoryVault();
    const open = lyingLog(({ type, ...event }) =>
      type === 'PaymentSettled' || type === 'PaymentApplied' ? null : { type, ...event },
    );
    expect(kinds(await run({ log: open }))).toEqual([]);
    const { rails } = await readReconciliation(vault);
    expect(rails[RAIL]!.waiting.length).toBeGreaterThan(2);
    expect(kinds(await run())).toEqual([]);
    expect((await readReconciliation(vault)).rails[RAIL]!.waiting).toEqual([]);
  });
});

test('the statement of a month lists its payments as CSV', async () => {
  const month = new Date(world.now()).toISOString().slice(0, 7);
  const { text, json } = await operatorBeside(world, ['statement', month]);
  const { lines, fees_usd } = json as { lines: { for: string; paid_to: string; usd: string }[]; fees_usd: string };
  expect(text.split('\r\n')).toHaveLength(lines.length + 1);
  expect(text).toMatch(/^settled_at,for,paid_to,agent,payer,rail,token,usd,state,tx,block,payment\r\n/);
  expect(lines).toContainEqual(expect.objectContaining({ for: 'pay', paid_to: 'agent', usd: '10', state: 'settled' }));
  const fees = lines.filter(({ paid_to }) => paid_to === 'service').reduce((sum, { usd }) => sum + Number(usd), 0);
  expect(Number(fees_usd)).toBeCloseTo(fees);
  expect((await operatorBeside(world, ['statement', '2020-01'])).json).toMatchObject({ lines: [], fees_usd: '0' });
  await expect(operatorBeside(world, ['statement', 'May'])).rejects.toThrow('The month must be a year and a month');
});

describe('the command of the operator', () => {
  const operator = (...argv: string[]) => operatorBeside(world, ['payments', '--reconcile', ...argv], { CHAIN: 'dev' });
  const health = async () => (await world.read('/api/health')) as { status: string; payments: JsonObject };

  test('reports the rails and leaves health as it is', async () => {
    const { ok, text } = await operator();
    expect([ok, text]).toEqual([true, expect.stringMatching(/usdc-base: blocks .*Log and chains agree\.$/s)]);
    expect(await health()).toMatchObject({
      status: 'ok',
      payments: { differences: 0, reconciled_at: expect.any(Number) },
    });
  });

  test('names a transfer without an event, which degrades health until it is explained', async () => {
    const purchase = await PURCHASES['job']!(world, RAIL);
    const signed = await signPayload(purchase.terms.wallet, await purchase.offer(), world.now());
    const tx = await broadcastTransfer(world.token(RAIL), RAIL, signed);
    const { ok, text, json } = await operator();
    const { differences } = json as ReconciliationReport;
    expect([ok, differences]).toEqual([false, [expect.objectContaining({ kind: 'no_event', tx })]]);
    expect(text).toContain('0.5 USD');
    expect(await health()).toMatchObject({ status: 'degraded', payments: { differences: 1 } });
    expect((await operator()).ok).toBe(false);
    expect((await operator('--acknowledge', differences[0]!.id)).ok).toBe(true);
    expect(await health()).toMatchObject({ status: 'ok', payments: { differences: 0 } });
  });

  test('names transactions of the relayer that the log does not have', async () => {
    const token = world.token(RAIL);
    await token.call('anvil_impersonateAccount', RELAYER);
    await token.call('eth_sendTransaction', { from: RELAYER, to: `0x${'7'.repeat(40)}`, value: '0x5af3107a4000' });
    await world.advance(3_000);
    const { differences } = (await operator()).json as ReconciliationReport;
    expect(differences.map(({ kind }) => kind).sort()).toEqual(['spending', 'unnamed_transactions']);
    expect((await operator('--acknowledge', ...differences.map(({ id }) => id))).ok).toBe(true);
  });

  test('refuses a start that is not a rail and a block', async () => {
    await expect(operator('--since', 'usdc-base=soon')).rejects.toThrow('--since must be <rail>=<block>');
    expect((await operator('--since', 'usdc-base=1')).text).toContain('usdc-base: blocks 1 to');
  });
});
