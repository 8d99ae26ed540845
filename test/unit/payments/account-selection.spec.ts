import { expect, test } from '@jest/globals';
import { selectAccount, firstChainOfEachRail } from '#libs/payments/account-selection.js';
import type { Chain } from '#libs/payments/chain.port.js';
import { RAILS } from '#libs/payments/rails.js';

const PAYMENTS = 1_000;
const chain = (digit: string, rail = RAILS[0]!) => ({ rail, relayer: `0x${digit.repeat(40)}` }) as Chain;
const [a, b, c] = [chain('A'), chain('b'), chain('c')];
const choose = (all: readonly Chain[], payment: string, sentBy?: string) =>
  selectAccount(all, each => each, payment, { sentBy });
const ids = Array.from({ length: PAYMENTS }, (_, n) => `eip155:8453/0x${n.toString(16)}`);

test('each relayer account gets about the same number of payments', () => {
  for (const account of [a, b, c]) {
    const own = ids.filter(id => choose([a, b, c], id) === account).length;
    expect(own).toBeGreaterThan(PAYMENTS / 4);
  }
});

test('adding or removing an account moves only the payments of that account', () => {
  for (const id of ids) {
    const before = choose([a, b], id);
    const after = choose([c, b, a], id);
    expect([before, c]).toContain(after);
  }
});

test('a payment stays with the account that sent it, in any letter case', () => {
  for (const id of ids.slice(0, 20)) expect(choose([a, b, c], id, b.relayer.toUpperCase().replace('X', 'x'))).toBe(b);
});

test('a payment of a removed account moves to another account', () => {
  expect([a, b]).toContain(choose([a, b], ids[0]!, c.relayer));
  expect(choose([a], ids[0]!, c.relayer)).toBe(a);
  expect(choose([], ids[0]!)).toBeUndefined();
});

test('selects one account of each rail for reads', () => {
  const other = chain('a', RAILS[1]);
  expect(firstChainOfEachRail([a, b, other, c])).toEqual([a, other]);
});

test('the payment of an escrow is never sent by another account than its operator', () => {
  const of = (only: string) => selectAccount([a, b], each => each, ids[0]!, { sentBy: a.relayer, only });
  expect(of(b.relayer.toUpperCase().replace('0X', '0x'))).toBe(b);
  expect(of(c.relayer)).toBeUndefined();
  expect(selectAccount([a], each => each, ids[0]!, { only: b.relayer })).toBeUndefined();
});
