import { afterEach, describe, expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import type { PaymentLimits } from '#libs/payments/payment-limits.js';
import type { FakeChain } from '../../doubles/fake-chain.js';
import { refusalOf } from '../in-memory-stores.js';
import { decodeBase64Json } from '../../x402.js';
import { at, Bench, insist, MUSE } from './bench.js';

let bench: Bench;
afterEach(() => {
  expect(bench.effects).toBe(bench.chain.transfers.length);
  expect(bench.reported).toEqual([]);
});
const once = () => expect([bench.chain.transfers.length, bench.effects]).toEqual([1, 1]);
const mine = (blocks: number) => {
  for (let n = 0; n < blocks; n += 1) bench.chain.mine();
};

describe('a payment on the chain', () => {
  test('is applied once after a broadcast by a third party', async () => {
    bench = new Bench();
    const presented = await bench.pay();
    let tx = '';
    const payments = bench.process({
      afterStep: at('submit', () => void (tx = bench.chain.sendAsStranger(presented.authorization))),
    });
    const { body } = await bench.buy(payments, bench.request(presented));
    expect(body).toMatchObject({ payment: { tx } });
    once();
  });

  test('is refused without a charge once a final block shows it cancelled', async () => {
    bench = new Bench({ finality: 4 });
    const presented = await bench.pay();
    const payments = bench.process({
      afterStep: at('submit', () => bench.chain.cancel(presented.authorization)),
    });
    expect((await refusalOf(bench.buy(payments, bench.request(presented)))).code).toBe('settlement_pending');
    mine(4);
    const refused = await refusalOf(bench.buy(payments, bench.request(presented)));
    expect(refused.code).toBe('authorization_spent');
    const { headers } = refused.details;
    expect(headers).toHaveProperty('PAYMENT-REQUIRED');
    expect(decodeBase64Json(headers!['PAYMENT-RESPONSE'])).toMatchObject({
      success: false,
      errorReason: 'authorization_spent',
    });
    expect((await refusalOf(bench.buy(payments, bench.request(presented)))).code).toBe('authorization_refused');
    expect(bench.chain.transfers).toEqual([]);
  });

  test('counts as refused, and returns its refusal even if the counters are unreachable', async () => {
    bench = new Bench();
    const presented = await bench.pay();
    const refused: string[] = [];
    const countRefusal = async (museId: string) => {
      refused.push(museId);
      throw new Unavailable('The counters');
    };
    const payments = bench.process({
      limits: { countAttempt: async () => undefined, countRefusal } as unknown as PaymentLimits,
      afterStep: at('submit', () => bench.chain.cancel(presented.authorization)),
    });
    expect((await refusalOf(bench.buy(payments, bench.request(presented)))).code).toBe('authorization_spent');
    expect(refused).toEqual([MUSE]);
  });

  test('expires only after a later final block shows its authorization unused', async () => {
    bench = new Bench({ finality: 4 });
    const presented = await bench.pay();
    const request = bench.request(presented);
    const payments = bench.process({
      afterStep: at('claim', () => bench.chain.balances.clear()),
    });
    expect((await refusalOf(bench.buy(payments, request))).code).toBe('settlement_pending');
    bench.clock.advance(4 * MINUTE_MS);
    await payments.reconcile();
    expect(bench.story(presented)).not.toContain('PaymentExpired');
    bench.clock.advance(2 * MINUTE_MS);
    mine(3);
    await payments.reconcile();
    expect(bench.story(presented)).not.toContain('PaymentExpired');
    mine(1);
    expect((await refusalOf(bench.buy(payments, request))).code).toBe('authorization_expired');
    expect(bench.story(presented).at(-1)).toBe('PaymentExpired');
    expect((await refusalOf(bench.buy(payments, request))).code).toBe('authorization_refused');
  });

  test('is sent again after a reverted transaction once the payer has funds', async () => {
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
    expect((await insist(bench, payments, bench.request(presented))).body).toMatchObject({ paid: true });
    expect(bench.story(presented).filter(type => type === 'PaymentSubmitted')).toHaveLength(2);
    once();
  });

  test('a payment on the chain is broadcast again after the node drops the transaction', async () => {
    bench = new Bench();
    bench.chain.forgets = true;
    const presented = await bench.pay();
    const payments = bench.process({
      afterStep: at('wait', () => void (bench.chain.forgets = false)),
    });
    expect((await bench.buy(payments, bench.request(presented))).body).toMatchObject({ paid: true });
    expect(bench.story(presented)).toHaveLength(4);
    once();
  });

  test('gets a higher fee at the same account nonce while it is pending', async () => {
    bench = new Bench();
    bench.chain.automine = false;
    const presented = await bench.pay();
    const payments = bench.process({
      afterStep: at('replace', () => bench.chain.mine()),
    });
    expect((await bench.buy(payments, bench.request(presented))).body).toMatchObject({ paid: true });
    const sent = bench.log.of(`payment-${presented.paymentId}`).filter(({ type }) => type === 'PaymentSubmitted');
    expect(sent.map(({ data }) => data)).toMatchObject([
      { relayer_nonce: 0, fee: '1000' },
      { relayer_nonce: 0, fee: '1125' },
    ]);
    once();
  });

  test('is signed by another account after its account was removed and settles once', async () => {
    bench = new Bench();
    bench.chain.automine = false;
    const request = bench.request(await bench.pay());
    const before = bench.process();
    await refusalOf(bench.buy(before, request));
    await before.stop();
    const chain = Object.create(bench.chain, { relayer: { value: `0x${'cd'.repeat(20)}` } }) as FakeChain;
    const after = bench.process({
      chains: [chain],
      afterStep: at('replace', () => chain.mine()),
    });
    expect((await insist(bench, after, request)).body).toMatchObject({ paid: true });
    const senders = bench.log.events.flatMap(({ type, data }) =>
      type === 'PaymentSubmitted' ? [(data as { relayer: string }).relayer] : [],
    );
    expect([senders[0], senders.at(-1)]).toEqual([bench.chain.relayer, chain.relayer]);
    once();
  });

  test('a payment on the chain replaces an expired payment that blocks the account nonce', async () => {
    bench = new Bench();
    bench.chain.automine = false;
    bench.chain.feeMin = 5000;
    const payments = bench.process();
    const expired = await bench.pay();
    await refusalOf(bench.buy(payments, bench.request(expired)));
    bench.clock.advance(6 * MINUTE_MS);
    await payments.reconcile();
    expect(bench.story(expired).at(-1)).toBe('PaymentExpired');
    bench.chain.quote = 10_000;
    const later = await bench.pay();
    const mining = bench.process({ afterStep: at('replace', () => bench.chain.mine()) });
    expect((await insist(bench, mining, bench.request(later))).body).toMatchObject({ paid: true });
    expect(bench.story(later)).toEqual(['PaymentAccepted', 'PaymentSubmitted', 'PaymentSettled', 'PaymentApplied']);
    once();
  });

  test('gets its higher fee from its own driver while it blocks the account nonce', async () => {
    bench = new Bench();
    bench.chain.automine = false;
    bench.chain.feeMin = 5000;
    const payments = bench.process({ timing: { waitMs: 30_000 } });
    const [first, second] = [await bench.pay(), await bench.pay()];
    const things = [first, second].map(({ paymentId: value }) => [{ kind: 'purchase' as const, value }]);
    await refusalOf(bench.buy(payments, bench.request(first), { things: things[0]! }));
    bench.chain.quote = 10_000;
    await refusalOf(bench.buy(payments, bench.request(second), { things: things[1]! }));
    bench.chain.mine();
    for (let passes = 0; passes < 10; passes += 1) {
      bench.clock.advance(MINUTE_MS / 6);
      await payments.reconcile();
      bench.chain.mine();
    }
    expect(bench.chain.faults.calls).not.toContain('clearNonce');
    expect([first, second].map(pay => bench.story(pay).at(-1))).toEqual(['PaymentApplied', 'PaymentApplied']);
    expect(bench.story(second).filter(type => type === 'PaymentSubmitted')).toHaveLength(1);
  });

  test('takes another account nonce after another transaction used the first', async () => {
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
