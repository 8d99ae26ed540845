import { afterEach, describe, expect, test } from '@jest/globals';
import type { Fault } from '../../doubles/faults.js';
import { STEPS } from '#libs/payments/payment-machine.js';
import { refusalOf } from '../in-memory-stores.js';
import { decodeBase64Json } from '../../x402.js';
import { Bench, insist } from './bench.js';

let bench: Bench;
afterEach(() => {
  expect(bench.effects).toBe(bench.chain.transfers.length);
  expect(bench.reported).toEqual([]);
});
const once = () => expect([bench.chain.transfers.length, bench.effects]).toEqual([1, 1]);

describe('a process that dies', () => {
  const crashes = STEPS.filter(step => !['replace', 'wait', 'refuse', 'expire', 'lose', 'done'].includes(step));
  test.each(crashes)('after the step %s is replaced by a process that completes the payment', async crash => {
    bench = new Bench();
    const request = bench.request(await bench.pay());
    const dying = bench.process({
      afterStep: step => {
        if (step.do === crash) throw new Error('killed');
      },
    });
    await expect(bench.buy(dying, request)).rejects.toThrow('killed');
    bench.clock.advance(16_000);
    const heir = bench.process();
    await heir.reconcile();
    await heir.reconcile();
    expect((await bench.buy(heir, request)).body).toMatchObject({ paid: true });
    once();
  });

  test('before its submission is recorded has sent nothing', async () => {
    bench = new Bench();
    const request = bench.request(await bench.pay());
    bench.log.faults.plan('append', null, null, null, 'lost');
    expect((await insist(bench, bench.process(), request)).body).toMatchObject({ paid: true });
    once();
  });
});

describe('payments during an outage', () => {
  const calls = ['observe', 'simulate', 'nextRelayerNonce', 'sign', 'broadcast', 'receipt'];
  const faults: Fault[] = ['lost', 'unanswered'];
  test.each(calls.flatMap(call => faults.map(fault => [call, fault] as const)))(
    'transfer once if the chain fails at %s (%s)',
    async (call, fault) => {
      bench = new Bench();
      const request = bench.request(await bench.pay());
      bench.chain.faults.plan(call, fault);
      const payments = bench.process();
      if (call === 'observe' || call === 'simulate') {
        expect((await refusalOf(bench.buy(payments, request))).code).toBe('payments_unavailable');
        expect(bench.log.events).toEqual([]);
      }
      expect((await bench.buy(payments, request)).body).toMatchObject({ paid: true });
      once();
    },
  );

  test.each(Array.from({ length: 7 }, (_, i) => i).flatMap(at => faults.map(fault => [at, fault] as const)))(
    'transfer once if the log fails at append %i (%s)',
    async (at, fault) => {
      bench = new Bench();
      const request = bench.request(await bench.pay());
      bench.log.faults.plan('append', ...Array.from({ length: at }, () => null), fault);
      expect((await insist(bench, bench.process(), request)).body).toMatchObject({ paid: true });
      once();
    },
  );

  test.each(Array.from({ length: 20 }, (_, i) => i))('transfer once if the log fails at read %i', async at => {
    bench = new Bench();
    const request = bench.request(await bench.pay());
    bench.log.faults.plan('read', ...Array.from({ length: at }, () => null), 'lost');
    expect((await insist(bench, bench.process(), request)).body).toMatchObject({ paid: true });
    once();
  });

  test.each(['putIfAbsent', 'compareAndSet'])('succeed if the coordination store fails at %s', async call => {
    bench = new Bench();
    bench.coordination.faults.plan(call, 'unanswered');
    expect((await bench.buy(bench.process(), bench.request(await bench.pay()))).body).toMatchObject({ paid: true });
    once();
  });

  test('stay pending if the chain fails after their acceptance', async () => {
    bench = new Bench();
    const request = bench.request(await bench.pay());
    bench.chain.faults.failAll('unanswered', 'broadcast', 'receipt', 'nextRelayerNonce');
    bench.chain.faults.plan('nextRelayerNonce', null);
    const payments = bench.process();
    const refused = await refusalOf(bench.buy(payments, request));
    expect(refused.code).toBe('settlement_pending');
    expect(decodeBase64Json(refused.details.headers!['PAYMENT-RESPONSE'])).toMatchObject({
      transaction: expect.stringMatching(/^0x/),
    });
    bench.chain.faults.clear();
    expect((await bench.buy(payments, request)).body).toMatchObject({ paid: true });
    once();
  });

  test('have an unknown state for the caller if the log is unreachable', async () => {
    bench = new Bench();
    const request = bench.request(await bench.pay());
    bench.log.faults.failAll('lost', 'read', 'append');
    const payments = bench.process();
    expect((await refusalOf(bench.buy(payments, request))).code).toBe('settlement_unknown');
    bench.log.faults.clear();
    await bench.buy(payments, request);
    once();
  });
});
