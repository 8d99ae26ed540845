import { describe, expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import type { Fact } from '#libs/kernel/event.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Forgotten, Linked, Muse, ProfileUpdated, Verified } from '#libs/domain/muse.js';
import { Payment } from '#libs/domain/payment.js';
import { FeeWalletSet, Service } from '#libs/domain/service.js';
import { RAILS } from '#libs/payments/rails.js';
import type { RailName } from '#libs/values/schemas.js';
import { asEvents, NOW } from '../../given.js';
import { HIRE, hired, STRANGER, told, WORKER } from '../features/worlds.js';
import { judge } from './judge.js';

const [PAYOUT, WALLET, ELSEWHERE] = ['a', 'b', 'c'].map(digit => `0x${digit.repeat(40)}`) as [string, string, string];
const WRONG = 'It does not go to an address of its payee.';

const registered = (muse_id: string, changed: object = {}) =>
  told('Registered', { muse_id, payout_address: null, ...changed });
const named = (muse_id: string, payout_address: string | null) => ProfileUpdated({ muse_id, payout_address });
const verified = (muse_id: string, wallet: string) =>
  Verified({ ...(told('Verified').data as Parameters<typeof Verified>[0]), muse_id, wallet });

type Told = readonly (readonly [fact: Fact, beforeMs?: number])[];

function paidTo(pay_to: string, endpoint: 'pay' | 'message', told_: Told): string[] {
  const earlier = told_.map(([fact, beforeMs = 10 * MINUTE_MS]) => {
    const { muse_id } = fact.data as { readonly muse_id: string };
    return { ...asEvents([fact], Muse.streamName(muse_id), NOW - beforeMs)[0]!, actor: muse_id };
  });
  const hiring = asEvents([hired({ worker: WORKER })], Hire.streamName(HIRE));
  const changed = { pay_to, endpoint, hire: HIRE, fields: { to: WORKER } };
  const accepted = told('PaymentAccepted', changed);
  const { payment } = accepted.data as { readonly payment: string };
  const events = [...earlier, ...hiring, ...asEvents([accepted], Payment.streamName(payment))];
  return judge(events).filter(problem => problem === WRONG);
}

describe('a wage', () => {
  const wage = (to: string, ...facts: Told) => paidTo(to, 'pay', facts);

  test('goes only to the payout address of its worker, in any letter case', () => {
    const worker = [registered(WORKER, { payout_address: PAYOUT })] as const;
    expect(wage(PAYOUT.toUpperCase().replace('0X', '0x'), worker)).toEqual([]);
    expect(wage(ELSEWHERE, worker)).toEqual([WRONG]);
  });

  test('goes to the verified wallet rather than the payout address', () => {
    const worker: Told = [[registered(WORKER, { payout_address: PAYOUT })], [verified(WORKER, WALLET)]];
    expect(wage(WALLET, ...worker)).toEqual([]);
    expect(wage(PAYOUT, ...worker)).toEqual([WRONG]);
    expect(wage(ELSEWHERE, ...worker)).toEqual([WRONG]);
  });

  test('is reported if the worker has no address', () => {
    expect(wage(ELSEWHERE, [registered(WORKER)])).toEqual([WRONG]);
  });

  test('may go to the address that the worker replaced a moment ago', () => {
    const changed = (beforeMs: number): Told => [
      [registered(WORKER, { payout_address: ELSEWHERE })],
      [named(WORKER, PAYOUT), beforeMs],
    ];
    expect(wage(ELSEWHERE, ...changed(1_000))).toEqual([]);
    expect(wage(PAYOUT, ...changed(1_000))).toEqual([]);
    expect(wage(ELSEWHERE, ...changed(2 * MINUTE_MS))).toEqual([WRONG]);
  });

  test('may go to the old address if a verification was written late', () => {
    const late: Told = [
      [registered(WORKER, { payout_address: PAYOUT })],
      [registered(STRANGER), 1_000],
      [verified(WORKER, WALLET), 5 * MINUTE_MS],
    ];
    expect([wage(PAYOUT, ...late), wage(WALLET, ...late), wage(ELSEWHERE, ...late)]).toEqual([[], [], [WRONG]]);
  });

  test('goes to the linked identity if it has an address, else to the worker', () => {
    const linked: Told = [
      [registered(WORKER, { payout_address: PAYOUT })],
      [Linked({ muse_id: WORKER, to: STRANGER })],
      [registered(STRANGER)],
    ];
    expect([wage(PAYOUT, ...linked), wage(ELSEWHERE, ...linked)]).toEqual([[], [WRONG]]);
    const later: Told = [...linked, [verified(STRANGER, WALLET)]];
    expect([wage(WALLET, ...later), wage(PAYOUT, ...later)]).toEqual([[], [WRONG]]);
    expect(wage(ELSEWHERE, ...later)).toEqual([WRONG]);
  });

  test('a wage is not reported if the address of its worker was erased', () => {
    const erased = [registered(WORKER, { name: null })] as const;
    expect(wage(ELSEWHERE, erased)).toEqual([]);
    expect(wage(ELSEWHERE, erased, [Forgotten({ muse_id: WORKER, referred_by: null })])).toEqual([]);
    expect(wage(ELSEWHERE, erased, [verified(WORKER, WALLET)])).toEqual([WRONG]);
  });
});

test('a fee goes only to a wallet of the service on its rail that the log named before', () => {
  const fee = (...wallets: readonly (readonly [RailName, string])[]) => {
    const facts = wallets.map(([rail, wallet]) => FeeWalletSet({ rail, wallet }));
    const accepted = told('PaymentAccepted', { pay_to: PAYOUT, endpoint: 'promote' });
    const stream = Payment.streamName((accepted.data as { readonly payment: string }).payment);
    const events = [...asEvents(facts, Service.streamName()), ...asEvents([accepted], stream)];
    return judge(events).filter(problem => problem === WRONG);
  };
  const { rail } = told('PaymentAccepted').data as { readonly rail: RailName };
  const [other] = RAILS.map(({ name }) => name).filter(name => name !== rail);
  expect(fee([rail, ELSEWHERE], [rail, PAYOUT])).toEqual([]);
  for (const wallets of [[], [[rail, ELSEWHERE]], [[other!, PAYOUT]]] as const)
    expect(fee(...wallets)).toEqual([WRONG]);
});

test('the price of a message goes to the verified wallet of its recipient', () => {
  const reader: Told = [[registered(WORKER, { payout_address: PAYOUT })], [verified(WORKER, WALLET)]];
  expect(paidTo(WALLET, 'message', reader)).toEqual([]);
  for (const other of [PAYOUT, ELSEWHERE]) expect(paidTo(other, 'message', reader)).toEqual([WRONG]);
});
