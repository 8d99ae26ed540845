import { expect, test } from '@jest/globals';
import { Bench, insist } from './bench.js';
import { Payer } from './payer.js';

test('a transaction that was written down while its answer was lost leaves its nonce to no other payment', async () => {
  const bench = new Bench();
  const payments = bench.process();
  const [before, lost] = [[null, null, null], 'unanswered' as const];
  bench.log.faults.plan('append', ...before, lost);
  const first = await bench.pay();
  await insist(bench, payments, bench.request(first));
  expect(bench.log.faults.calls.filter(call => call === 'append').length).toBeGreaterThan(before.length);
  const other = new Payer('other');
  bench.chain.balances.set(other.address, 10_000_000n);
  const second = await bench.pay(other);
  await insist(bench, payments, bench.request(second, { fields: { wallet: other.address } }));
  const once = ['PaymentAccepted', 'PaymentSubmitted', 'PaymentSettled', 'PaymentApplied'];
  expect([bench.story(first), bench.story(second)]).toEqual([once, once]);
});
