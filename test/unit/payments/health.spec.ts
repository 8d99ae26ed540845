import { expect, test } from '@jest/globals';
import { expectedDomainSeparator } from '#libs/payments/ethers.chain.js';
import { PaymentsHealth } from '#libs/payments/payments.health.js';
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
