import { afterEach, describe, expect, test } from '@jest/globals';
import type { Fault } from '../../doubles/faults.js';
import type { Answer } from '#libs/kernel/answer.js';
import { STEPS } from '#libs/payments/machine.js';
import type { Payments } from '#libs/payments/payments.js';
import type { PaidRequest } from '#libs/payments/purchase.js';
import { Bench, refusal, unbase64 } from './bench.js';

const MINUTE_MS = 60_000;
let bench: Bench;
afterEach(() => {
  expect(bench.effects).toBe(bench.chain.transfers.length);
  expect(bench.reported).toEqual([]);
});

/** Repeats the request as an agent does that is told to come back. */
async function insist(payments: Payments, request: PaidRequest): Promise<Answer> {
  for (let tries = 0; tries < 10; tries += 1) {
    try {
      return await bench.buy(payments, request);
    } catch (error) {
      if (
        !/settlement_|payments_unavailable|cannot be reached/.test(
          `${(error as { code?: string }).code} ${String(error)}`,
        )
      )
        throw error;
      bench.clock.advance(2_000);
    }
  }
  throw new Error('It never ended.');
}

const once = () => expect([bench.chain.transfers.length, bench.effects]).toEqual([1, 1]);

describe('a process that dies', () => {
  const crashes = STEPS.filter(step => !['replace', 'wait', 'refuse', 'expire', 'done'].includes(step));
  test.each(crashes)('after the step %s is succeeded by one that finishes', async crash => {
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

  test('before it could write that anything was sent has sent nothing', async () => {
    bench = new Bench();
    const request = bench.request(await bench.pay());
    bench.log.faults.plan('append', null, null, null, 'lost');
    expect((await insist(bench.process(), request)).body).toMatchObject({ paid: true });
    once();
  });
});

describe('an outage', () => {
  const calls = ['observe', 'simulate', 'nextRelayerNonce', 'sign', 'broadcast', 'receipt'];
  const faults: Fault[] = ['lost', 'unanswered'];
  test.each(calls.flatMap(call => faults.map(fault => [call, fault] as const)))(
    'of %s, %s, once',
    async (call, fault) => {
      bench = new Bench();
      const request = bench.request(await bench.pay());
      bench.chain.faults.plan(call, fault);
      const payments = bench.process();
      if (call === 'observe' || call === 'simulate') {
        expect((await refusal(bench.buy(payments, request))).code).toBe('payments_unavailable');
        expect(bench.log.events).toEqual([]);
      }
      expect((await bench.buy(payments, request)).body).toMatchObject({ paid: true });
      once();
    },
  );

  test.each(Array.from({ length: 7 }, (_, i) => i).flatMap(at => faults.map(fault => [at, fault] as const)))(
    'of the log at its append %i, %s, charges nobody twice',
    async (at, fault) => {
      bench = new Bench();
      const request = bench.request(await bench.pay());
      bench.log.faults.plan('append', ...Array.from({ length: at }, () => null), fault);
      expect((await insist(bench.process(), request)).body).toMatchObject({ paid: true });
      once();
    },
  );

  test.each(Array.from({ length: 20 }, (_, i) => i))('of the log at its read %i charges nobody twice', async at => {
    bench = new Bench();
    const request = bench.request(await bench.pay());
    bench.log.faults.plan('read', ...Array.from({ length: at }, () => null), 'lost');
    expect((await insist(bench.process(), request)).body).toMatchObject({ paid: true });
    once();
  });

  test.each(['putIfAbsent', 'compareAndSet'])('of the shared state at %s is waited out', async call => {
    bench = new Bench();
    bench.coordination.faults.plan(call, 'unanswered');
    expect((await bench.buy(bench.process(), bench.request(await bench.pay()))).body).toMatchObject({ paid: true });
    once();
  });

  test('of the chain after the payment was accepted is pending, never unavailable', async () => {
    bench = new Bench();
    const request = bench.request(await bench.pay());
    bench.chain.faults.down('unanswered', 'broadcast', 'receipt', 'nextRelayerNonce');
    bench.chain.faults.plan('nextRelayerNonce', null);
    const payments = bench.process();
    const refused = await refusal(bench.buy(payments, request));
    expect(refused.code).toBe('settlement_pending');
    expect(unbase64(refused.details.headers!['PAYMENT-RESPONSE'])).toMatchObject({
      transaction: expect.stringMatching(/^0x/),
    });
    bench.chain.faults.up();
    expect((await bench.buy(payments, request)).body).toMatchObject({ paid: true });
    once();
  });

  test('of the log leaves nobody to tell', async () => {
    bench = new Bench();
    const request = bench.request(await bench.pay());
    bench.log.faults.down('lost', 'read', 'append');
    const payments = bench.process();
    expect((await refusal(bench.buy(payments, request))).code).toBe('settlement_unknown');
    bench.log.faults.up();
    await bench.buy(payments, request);
    once();
  });
});

describe('the chain', () => {
  test('shows a stranger’s broadcast, which counts once', async () => {
    bench = new Bench();
    const presented = await bench.pay();
    let tx = '';
    const payments = bench.process({
      afterStep: step => {
        if (step.do === 'submit') tx = bench.chain.stranger(presented.authorization);
      },
    });
    const { body } = await bench.buy(payments, bench.request(presented));
    expect(body).toMatchObject({ payment: { tx } });
    once();
  });

  test('shows a cancel, so that the payment is refused and nobody is charged', async () => {
    bench = new Bench();
    const presented = await bench.pay();
    const payments = bench.process({
      afterStep: step => {
        if (step.do === 'submit') bench.chain.cancel(presented.authorization);
      },
    });
    const refused = await refusal(bench.buy(payments, bench.request(presented)));
    expect(refused.code).toBe('authorization_spent');
    const { headers } = refused.details;
    expect(headers).toHaveProperty('PAYMENT-REQUIRED');
    expect(unbase64(headers!['PAYMENT-RESPONSE'])).toMatchObject({
      success: false,
      errorReason: 'authorization_spent',
    });
    expect((await refusal(bench.buy(payments, bench.request(presented)))).code).toBe('authorization_refused');
    expect(bench.chain.transfers).toEqual([]);
  });

  test('lets a payment expire only once a later block shows it unused', async () => {
    bench = new Bench();
    const presented = await bench.pay();
    const request = bench.request(presented);
    const payments = bench.process({
      afterStep: step => {
        if (step.do === 'claim') bench.chain.balances.clear();
      },
    });
    expect((await refusal(bench.buy(payments, request))).code).toBe('settlement_pending');
    bench.clock.advance(4 * MINUTE_MS);
    await payments.reconcile();
    expect(bench.story(presented)).not.toContain('PaymentExpired');
    bench.clock.advance(MINUTE_MS);
    expect((await refusal(bench.buy(payments, request))).code).toBe('authorization_expired');
    expect(bench.story(presented).at(-1)).toBe('PaymentExpired');
    expect((await refusal(bench.buy(payments, request))).code).toBe('authorization_refused');
  });

  test('took our transaction that reverted, which is not believed: once the payer has the money it is sent anew', async () => {
    bench = new Bench();
    const presented = await bench.pay();
    let clears = true;
    const payments = bench.process({
      afterStep: step => {
        if (step.do === 'submit' && clears) bench.chain.balances.clear();
        if (step.do === 'wait') bench.chain.balances.set(bench.payer.address, 1_000_000n);
        if (step.do === 'wait') clears = false;
      },
    });
    expect((await insist(payments, bench.request(presented))).body).toMatchObject({ paid: true });
    expect(bench.story(presented).filter(type => type === 'PaymentSubmitted')).toHaveLength(2);
    once();
  });

  test('forgets our transaction, which is sent again', async () => {
    bench = new Bench();
    bench.chain.forgets = true;
    const presented = await bench.pay();
    const payments = bench.process({
      afterStep: step => {
        if (step.do === 'wait') bench.chain.forgets = false;
      },
    });
    expect((await bench.buy(payments, bench.request(presented))).body).toMatchObject({ paid: true });
    expect(bench.story(presented)).toHaveLength(4);
    once();
  });

  test('keeps our transaction waiting, so that its fee is raised at the same nonce', async () => {
    bench = new Bench();
    bench.chain.automine = false;
    const presented = await bench.pay();
    const payments = bench.process({
      afterStep: step => {
        if (step.do === 'replace') bench.chain.mine();
      },
    });
    expect((await bench.buy(payments, bench.request(presented))).body).toMatchObject({ paid: true });
    const sent = bench.log.of(`payment-${presented.paymentId}`).filter(({ type }) => type === 'PaymentSubmitted');
    expect(sent.map(({ data }) => data)).toMatchObject([
      { relayer_nonce: 0, fee: '1000' },
      { relayer_nonce: 0, fee: '1125' },
    ]);
    once();
  });

  test('used our nonce for another transaction of the account, so that another nonce is taken', async () => {
    bench = new Bench();
    const presented = await bench.pay();
    let used = false;
    const payments = bench.process({
      afterStep: step => {
        if (step.do !== 'submit' || used) return;
        used = true;
        bench.chain.useRelayerNonce();
      },
    });
    expect((await bench.buy(payments, bench.request(presented))).body).toMatchObject({ paid: true });
    expect(bench.story(presented).filter(type => type === 'PaymentSubmitted')).toHaveLength(2);
    once();
  });
});
