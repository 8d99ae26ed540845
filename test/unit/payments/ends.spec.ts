import { afterEach, describe, expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { Bench, refusal } from './bench.js';

let bench: Bench;
afterEach(() => expect(bench.reported).toEqual([]));

const mine = (blocks: number) => {
  for (let n = 0; n < blocks; n += 1) bench.chain.mine();
};

describe('a payment that ends without a transfer', () => {
  test('is refused only after a final block shows its authorization cancelled', async () => {
    bench = new Bench({ finality: 4 });
    const presented = await bench.pay();
    const payments = bench.process({
      afterStep: step => {
        if (step.do === 'submit') bench.chain.cancel(presented.authorization);
      },
    });
    expect((await refusal(bench.buy(payments, bench.request(presented)))).code).toBe('settlement_pending');
    expect(bench.story(presented).at(-1)).toBe('PaymentSubmitted');
    mine(4);
    await payments.reconcile();
    expect(bench.story(presented).at(-1)).toBe('PaymentRefused');
  });

  test('expires only after a final block shows its authorization unused', async () => {
    bench = new Bench({ finality: 4 });
    const presented = await bench.pay();
    const payments = bench.process({
      afterStep: step => {
        if (step.do === 'claim') bench.chain.balances.clear();
      },
    });
    await refusal(bench.buy(payments, bench.request(presented)));
    bench.clock.advance(6 * MINUTE_MS);
    mine(3);
    await payments.reconcile();
    expect(bench.story(presented)).not.toContain('PaymentExpired');
    mine(1);
    await payments.reconcile();
    expect(bench.story(presented).at(-1)).toBe('PaymentExpired');
  });
});
