import { expect, test } from '@jest/globals';
import { findProblems } from '#libs/features/stats/health-problems.js';
import { expectedDomainSeparator } from '#libs/payments/ethers.chain.js';
import { PaymentsHealth } from '#libs/payments/payments.health.js';
import type { OpenEscrow } from '#libs/payments/open-escrows.js';
import { RAILS } from '#libs/payments/rails.js';
import { FakeChain } from '../../doubles/fake-chain.js';
import { MemoryVault } from '../../doubles/memory-vault.js';
import { TestClock } from '../../doubles/test-clock.js';
import { Bench } from './bench.js';

const WITHIN_MS = 1_900;
const never = () => new Promise<never>(() => undefined);

function healthOf(change: (base: FakeChain) => void) {
  const clock = new TestClock();
  const chains = RAILS.map(rail => {
    const domainSeparator = async () => expectedDomainSeparator(rail);
    return Object.assign(new FakeChain(clock, rail), { domainSeparator });
  });
  change(chains.find(({ rail }) => rail.short === 'base')!);
  return new PaymentsHealth(chains, new Bench().process(), clock, new MemoryVault());
}

async function railsOf(health: PaymentsHealth) {
  const before = performance.now();
  const rails = await health.rails();
  expect(performance.now() - before).toBeLessThan(WITHIN_MS);
  return Object.fromEntries(rails.map(({ rail, ...rest }) => [rail, rest]));
}

const WELL = { reachable: true, domain_separator: 'ok', addresses_agree: true };
const EMPTY_HEALTH = {
  status: 'degraded',
  event_log: { reachable: true },
  documents: { reachable: true },
  projections: [],
  reactions: [],
};
const SILENT = { reachable: false, domain_separator: null };

test('a hanging node makes only its own chain unreachable', async () => {
  const health = healthOf(base => void (base.transactionsLeft = never));
  expect(await railsOf(health)).toMatchObject({ 'usdc-base': SILENT, 'usdg-robinhood': WELL });
});

test('a hanging second address leaves the rail reachable with unknown agreement', async () => {
  const health = healthOf(base => void (base.addressesAgree = never));
  expect(await railsOf(health)).toMatchObject({ 'usdc-base': { ...WELL, addresses_agree: null } });
});

test('a late response is returned to the next health request', async () => {
  let answer: (left: number) => void = () => undefined;
  const late = new Promise<number>(resolve => (answer = resolve));
  const health = healthOf(base => void (base.transactionsLeft = () => late));
  expect(await railsOf(health)).toMatchObject({ 'usdc-base': SILENT });
  answer(1_000);
  expect(await railsOf(health)).toMatchObject({ 'usdc-base': WELL });
});

test('health names the accounts of open escrows whose key is missing', async () => {
  const clock = new TestClock();
  const [held, gone] = [new FakeChain(clock, RAILS[0]), `0x${'1'.repeat(40)}`];
  const process = new Bench().process();
  const operators = [held.relayer.toLowerCase(), gone, gone, null];
  process.listOpenEscrows = async () => operators.map(operator => ({ operator }) as OpenEscrow);
  const { accounts_without_key } = await new PaymentsHealth([held], process, clock, new MemoryVault()).open();
  expect(accounts_without_key).toEqual([gone]);
  const payments = { rails: [], accounts_without_key };
  const [problem] = findProblems({ ...EMPTY_HEALTH, payments }, clock.now());
  expect(problem).toMatchObject({ id: `account ${gone}`, sentence: expect.stringContaining('its key is missing') });
});
