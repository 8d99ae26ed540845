import { expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { FieldRefusal } from '#libs/kernel/refusal.js';
import { PaymentsHealth } from '#libs/payments/payments.health.js';
import type { Payments } from '#libs/payments/payments.js';
import { MemoryVault } from '../../doubles/memory-vault.js';
import { refusalOf } from '../in-memory-stores.js';
import { Bench, insist } from './bench.js';

const health = (bench: Bench, payments: Payments) =>
  new PaymentsHealth([], payments, bench.clock, new MemoryVault()).open();

test('reports a payment once if its effect refuses it, and applies it later', async () => {
  const bench = new Bench();
  bench.refuses = new FieldRefusal('wallet', 'It must be longer.', 'too_short');
  const payments = bench.process();
  const presented = await bench.pay();
  const request = bench.request(presented);
  expect((await refusalOf(bench.buy(payments, request))).code).toBe('settlement_pending');
  expect(await health(bench, payments)).toMatchObject({ open: 1, not_applied: 0 });
  bench.clock.advance(2 * MINUTE_MS);
  await payments.reconcile();
  expect(await health(bench, payments)).toMatchObject({ open: 1, not_applied: 1 });
  expect(bench.reported).toMatchObject([
    { name: 'PaymentEffectError', message: expect.stringContaining('It must be longer.') },
  ]);
  expect(bench.story(presented).at(-1)).toBe('PaymentSettled');

  bench.refuses = null;
  expect((await insist(bench, payments, request)).body).toMatchObject({ paid: true });
  const well = { open: 0, oldest_ms: null, not_applied: 0, unclear: 0, accounts_without_key: [] };
  expect(await health(bench, payments)).toEqual(well);
  expect(bench.effects).toBe(1);
});

test('reports a missing use once and keeps the payment open until a node finds it', async () => {
  const bench = new Bench();
  const presented = await bench.pay();
  const payments = bench.process({
    afterStep: step => {
      if (step.do !== 'submit') return;
      bench.chain.sendAsStranger(presented.authorization);
      bench.chain.pruned = true;
    },
  });
  const request = bench.request(presented);
  expect((await refusalOf(bench.buy(payments, request))).code).toBe('settlement_pending');
  bench.clock.advance(60 * MINUTE_MS);
  await payments.reconcile();
  expect(await health(bench, payments)).toMatchObject({ open: 1, unclear: 1 });
  expect(bench.reported).toMatchObject([{ name: 'MissingUseError' }]);
  expect(bench.story(presented).at(-1)).toBe('PaymentSubmitted');

  bench.chain.pruned = false;
  expect((await insist(bench, payments, request)).body).toMatchObject({ paid: true });
  expect(await health(bench, payments)).toMatchObject({ open: 0, unclear: 0 });
  expect([bench.effects, bench.chain.transfers.length]).toEqual([1, 1]);
});
