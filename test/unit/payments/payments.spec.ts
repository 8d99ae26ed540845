import { expect, test } from '@jest/globals';
import { Refusal } from '#libs/kernel/refusal.js';
import { OUTAGES_MAX, type PaymentLimits } from '#libs/payments/payment-limits.js';
import { TRANSACTIONS_MIN } from '#libs/payments/gas.js';
import { refusalOf } from '../in-memory-stores.js';
import { decodeBase64Json } from '../../x402.js';
import { Bench, MUSE } from './bench.js';
import { Payer } from './payer.js';

const SETTLED = ['PaymentAccepted', 'PaymentSubmitted', 'PaymentSettled', 'PaymentApplied'];

test('a paid request leads to one transfer, one effect and one response', async () => {
  const bench = new Bench();
  const presented = await bench.pay();
  const { body, headers, position } = await bench.buy(bench.process(), bench.request(presented));
  expect(body).toMatchObject({
    verified: true,
    paid: true,
    payment: { network: 'base', payer: bench.payer.address, amount: '1000000' },
  });
  const { tx } = body['payment'] as { tx: string };
  expect(decodeBase64Json(headers!['PAYMENT-RESPONSE'])).toEqual({
    success: true,
    transaction: tx,
    payer: bench.payer.address,
    network: 'eip155:8453',
    extensions: body['extensions'],
  });
  expect(decodeBase64Json(headers!['X-PAYMENT-RESPONSE'])).toMatchObject({ success: true, network: 'base' });
  expect(position).toBe(bench.log.events.at(-1)!.position);
  expect(bench.story(presented)).toEqual(SETTLED);
  expect([bench.chain.transfers.length, bench.effects]).toEqual([1, 1]);
});

test('a request without a payment gets the offer and writes no event', async () => {
  const bench = new Bench();
  const refused = await refusalOf(bench.buy(bench.process(), bench.request(null)));
  expect(refused).toMatchObject({ code: 'payment_required', message: 'payment required' });
  expect(refused.details.headers).toHaveProperty('PAYMENT-REQUIRED');
  expect(bench.log.events).toEqual([]);
});

test('a payment that fails a check gets a new offer and is not settled', async () => {
  const bench = new Bench();
  bench.chain.balances.clear();
  const refused = await refusalOf(bench.buy(bench.process(), bench.request(await bench.pay())));
  expect(refused.code).toBe('insufficient_balance');
  expect(refused.details.headers).toHaveProperty('PAYMENT-REQUIRED');
  expect(refused.details.headers).not.toHaveProperty('PAYMENT-RESPONSE');
  expect(bench.log.events).toEqual([]);
});

test('a relayer without gas accepts no payment until it is funded', async () => {
  const bench = new Bench();
  bench.chain.affordable = TRANSACTIONS_MIN - 1;
  const payments = bench.process();
  const request = bench.request(await bench.pay());
  for (let tries = 0; tries < OUTAGES_MAX + 1; tries += 1) {
    expect(await refusalOf(bench.buy(payments, request))).toMatchObject({
      code: 'payments_unavailable',
      details: { retryAfter: 5 },
    });
  }
  expect(bench.log.events).toEqual([]);
  bench.chain.affordable = TRANSACTIONS_MIN;
  expect((await bench.buy(payments, request)).body).toMatchObject({ paid: true });
});

test('30 identical concurrent requests lead to one transfer and equal responses', async () => {
  const bench = new Bench();
  const payments = [bench.process(), bench.process()];
  const request = bench.request(await bench.pay(), {}, 'same-nonce');
  const answers = await Promise.all(Array.from({ length: 30 }, (_, i) => bench.buy(payments[i % 2]!, request)));
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect([bench.chain.transfers.length, bench.effects]).toEqual([1, 1]);
});

test('a repeated request with a new signature or payment gets the first response', async () => {
  const bench = new Bench();
  const payments = bench.process();
  const presented = await bench.pay();
  const first = await bench.buy(payments, bench.request(presented, {}, 'first'));
  expect(await bench.buy(bench.process(), bench.request(presented))).toEqual(first);
  expect(await bench.buy(bench.process(), bench.request(null, {}, 'first'))).toEqual(first);
  expect(await bench.buy(payments, bench.request(await bench.pay(), {}, 'first'))).toEqual(first);
  expect(bench.chain.transfers).toHaveLength(1);
});

test('a rate-limited muse still gets the response of an earlier payment', async () => {
  const bench = new Bench();
  const presented = await bench.pay();
  const first = await bench.buy(bench.process(), bench.request(presented, {}, 'first'));
  const countAttempt = () => Promise.reject(new Refusal('rate_limited', 'Too many attempts.'));
  const limited = bench.process({ limits: { countAttempt, countRefusal: countAttempt } as unknown as PaymentLimits });
  expect(await refusalOf(bench.buy(limited, bench.request(await bench.pay())))).toMatchObject({ code: 'rate_limited' });
  expect(await bench.buy(limited, bench.request(presented))).toEqual(first);
  expect(await bench.buy(limited, bench.request(null, {}, 'first'))).toEqual(first);
});

test('a payment of another request is refused', async () => {
  const bench = new Bench();
  const presented = await bench.pay();
  const other = { ...bench.request(presented), fields: { wallet: 'another' } };
  const [first, second] = await Promise.allSettled([
    bench.buy(bench.process(), bench.request(presented)),
    bench.buy(bench.process(), other),
  ]);
  const lost = [first, second].filter(({ status }) => status === 'rejected');
  expect(lost).toMatchObject([{ reason: { code: 'payment_used' } }]);
  expect([bench.chain.transfers.length, bench.effects]).toEqual([1, 1]);
});

test('a paid nonce with another body is refused', async () => {
  const bench = new Bench();
  const payments = bench.process();
  await bench.buy(payments, bench.request(await bench.pay(), {}, 'nonce'));
  const other = { ...bench.request(await bench.pay(), {}, 'nonce'), fields: { wallet: 'another' } };
  expect(await refusalOf(bench.buy(payments, other))).toMatchObject({ code: 'nonce_used' });
});

test('two concurrent payments for the same purchase lead to one transfer', async () => {
  const bench = new Bench();
  bench.chain.automine = false;
  const requests = [bench.request(await bench.pay()), bench.request(await bench.pay())];
  const buy = (request: ReturnType<Bench['request']>) => refusalOf(bench.buy(bench.process(), request));
  expect((await Promise.all(requests.map(buy))).map(({ code }) => code)).toEqual(Array(2).fill('settlement_pending'));
  bench.chain.mine();
  expect(bench.chain.transfers).toHaveLength(1);
});

test('another request for the purchase sends nothing while a payment is pending', async () => {
  const bench = new Bench();
  bench.chain.automine = false;
  const payments = bench.process();
  const first = await bench.pay();
  const waiting = await refusalOf(bench.buy(payments, bench.request(first)));
  expect(waiting).toMatchObject({ code: 'settlement_pending', details: { retryAfter: 2 } });
  const response = decodeBase64Json(waiting.details.headers!['PAYMENT-RESPONSE']);
  expect(response).toMatchObject({ success: false, errorReason: 'settlement_pending', payer: bench.payer.address });
  for (const presented of [null, await bench.pay()]) {
    expect((await refusalOf(bench.buy(payments, bench.request(presented)))).code).toBe('settlement_pending');
  }
  bench.chain.mine();
  expect((await bench.buy(payments, bench.request(first))).body).toMatchObject({ paid: true });
  expect(bench.chain.transfers).toHaveLength(1);
});

test('a payment to bind a taken wallet is refused without a charge', async () => {
  const bench = new Bench();
  const wallet = { kind: 'wallet', value: '0xabc' } as const;
  await bench.claims.acquire(
    wallet,
    { owner: 'muse-agent_9999999999', finishes: { event: 'x' } },
    bench.request(null).context,
  );
  const refused = await refusalOf(bench.buy(bench.process(), bench.request(await bench.pay()), { things: [wallet] }));
  expect(refused.code).toBe('wallet_taken');
  expect(bench.chain.transfers).toEqual([]);
});

test('a value taken between check and reservation refuses the payment permanently', async () => {
  const bench = new Bench();
  const wallet = { kind: 'wallet', value: '0xabc' } as const;
  const presented = await bench.pay();
  const standing = bench.claims.findValid.bind(bench.claims);
  bench.claims.findValid = async thing => {
    const free = await standing(thing, null);
    await bench.claims.acquire(
      thing,
      { owner: 'muse-agent_9999999999', finishes: { event: 'x' } },
      bench.request(null).context,
    );
    return free;
  };
  const refused = await refusalOf(bench.buy(bench.process(), bench.request(presented), { things: [wallet] }));
  expect(refused.code).toBe('wallet_taken');
  expect(bench.story(presented)).toEqual(['PaymentAccepted', 'PaymentRefused']);
  bench.claims.findValid = async () => null;
  const again = await refusalOf(bench.buy(bench.process(), bench.request(presented), { things: [] }));
  expect(again.code).toBe('authorization_refused');
  expect(again.details.headers).toHaveProperty('PAYMENT-REQUIRED');
  expect(bench.chain.transfers).toEqual([]);
});

test('a payment for a forgotten object is void, and the response says it was paid', async () => {
  const bench = new Bench();
  bench.outcome = 'void';
  const { body } = await bench.buy(bench.process(), bench.request(await bench.pay()));
  expect(body).toMatchObject({ paid: true, void: 'forgotten', payment: { payer: bench.payer.address } });
  expect(body).not.toHaveProperty('verified');
});

test('a paid response takes precedence over a new refusal of the endpoint', async () => {
  const bench = new Bench();
  const payments = bench.process();
  const request = bench.request(await bench.pay());
  const answer = await bench.buy(payments, request);
  const never = () => Promise.reject(new Error('asked'));
  expect(await payments.buy(request, never)).toEqual(answer);
});

test('concurrent payers in two processes get distinct account nonces', async () => {
  const bench = new Bench();
  const processes = [bench.process(), bench.process()];
  const payers = Array.from({ length: 12 }, (_, i) => new Payer(`payer-${i}`));
  payers.forEach(({ address }) => bench.chain.balances.set(address, 1_000_000n));
  const answers = await Promise.all(
    payers.map(async (payer, i) => {
      const things = [{ kind: 'purchase' as const, value: `thing-${i}` }];
      return bench.buy(processes[i % 2]!, bench.request(await bench.pay(payer)), { things });
    }),
  );
  expect(answers).toHaveLength(12);
  expect(bench.chain.transfers).toHaveLength(12);
  expect(bench.log.of(`muse-${MUSE}`)).toHaveLength(12);
});

test('the check for a sent payment starts after 2 ms and slows to every second', async () => {
  const bench = new Bench();
  bench.chain.automine = false;
  const pauses: number[] = [];
  const sleep = async (ms: number) => void (pauses.push(ms), bench.clock.advance(ms));
  await refusalOf(bench.buy(bench.process({ sleep }), bench.request(await bench.pay())));
  expect(pauses.slice(0, 7)).toEqual([2, 6, 18, 54, 162, 486, 1_000]);
  expect(pauses.at(-1)).toBe(1_000);
});

test('the watchdog completes a payment whose request has ended', async () => {
  const bench = new Bench();
  bench.chain.automine = false;
  const payments = bench.process();
  const presented = await bench.pay();
  await refusalOf(bench.buy(payments, bench.request(presented)));
  bench.chain.mine();
  payments.start();
  await payments.reconcile();
  await payments.stop();
  expect(bench.story(presented).at(-1)).toBe('PaymentApplied');
  expect(await payments.listOpen()).toEqual([]);
});
