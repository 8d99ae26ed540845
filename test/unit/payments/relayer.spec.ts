import { expect, test } from '@jest/globals';
import { LEASE_MS, Relayer } from '#libs/payments/relayer.js';
import { Bench, insist } from './bench.js';
import { Payer } from './payer.js';

test('an account nonce stays reserved after an append without a response', async () => {
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

test('two busy processes take turns with the account, each for half a lease', async () => {
  const { chain, coordination, clock } = new Bench();
  const named = (holder: string) => new Relayer({ chain, coordination, clock, holder, idleMs: LEASE_MS });
  const [one, other] = [named('one'), named('other')];
  const signed = { tx: '0x', raw: '0x', relayer: '0x', relayerNonce: 0, fee: '0' };
  let payments = 0;
  const submits = (relayer: Relayer) =>
    relayer.submit({ payment: `${(payments += 1)}`, sign: async () => signed, write: async () => signed.tx });
  const had: string[] = [];
  for (let tenths = 0; tenths < 400; tenths += 1) {
    const turns = { one: await submits(one), other: await submits(other) };
    expect([turns.one && turns.other, turns]).toEqual([false, turns]);
    const holder = turns.one ? 'one' : turns.other ? 'other' : null;
    if (holder !== null && had.at(-1) !== holder) had.push(holder);
    clock.advance(100);
  }
  expect(had.slice(0, 4)).toEqual(['one', 'other', 'one', 'other']);
  await Promise.all([one.release(), other.release()]);
});

test('a process keeps the account while no other process waits for it', async () => {
  const { chain, coordination, clock } = new Bench();
  const relayer = new Relayer({ chain, coordination, clock, holder: 'one', idleMs: LEASE_MS });
  const signed = { tx: '0x', raw: '0x', relayer: '0x', relayerNonce: 0, fee: '0' };
  for (let seconds = 0; seconds < 40; seconds += 1) {
    const signing = { payment: `${seconds}`, sign: async () => signed, write: async () => signed.tx };
    expect(await relayer.submit(signing)).toBe(true);
    clock.advance(1_000);
  }
  await relayer.release();
});
