import { afterEach, describe, expect, test } from '@jest/globals';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { PaymentLost } from '#libs/domain/payment.js';
import type { EventOf } from '#libs/domain/define.js';
import { refusalOf } from '../in-memory-stores.js';
import { at, Bench } from './bench.js';

const SETTLED = ['PaymentAccepted', 'PaymentSubmitted', 'PaymentSettled', 'PaymentApplied'];
const PASSES_MAX = 20;

let bench: Bench;
afterEach(() => expect(bench.reported).toEqual([]));

/** Settles a payment on a chain with finality after four blocks. */
async function settled() {
  bench = new Bench({ finality: 4 });
  const payments = bench.process();
  const presented = await bench.pay();
  const request = bench.request(presented);
  const { body } = await bench.buy(payments, request);
  return { payments, presented, request, body };
}

const looks = () => bench.chain.faults.calls.filter(call => call === 'receipt').length;
const mine = (blocks: number) => {
  for (let n = 0; n < blocks; n += 1) bench.chain.mine();
};
const last = (paymentId: string) => bench.log.of(`payment-${paymentId}`).at(-1)!;

describe('a settlement', () => {
  test('is checked once for each new block until it is final', async () => {
    const { payments } = await settled();
    await payments.reconcile();
    const first = looks();
    await payments.reconcile();
    expect(looks()).toBe(first);
    mine(1);
    await payments.reconcile();
    expect(looks()).toBe(first + 1);
    mine(2);
    await payments.reconcile();
    expect(await payments.listNotFinal()).toEqual([]);
    mine(1);
    await payments.reconcile();
    expect(looks()).toBe(first + 2);
  });

  test('is not checked again on a rail whose first block is final', async () => {
    bench = new Bench();
    const payments = bench.process();
    await bench.buy(payments, bench.request(await bench.pay()));
    await payments.reconcile();
    expect(await payments.listNotFinal()).toEqual([]);
    expect(bench.chain.faults.calls).not.toContain('heads');
  });

  test('is checked by a new process until it is final', async () => {
    const { presented } = await settled();
    await bench.process().reconcile();
    const started = bench.process();
    expect((await started.listNotFinal()).map(({ id }) => id)).toEqual([presented.paymentId]);
    mine(3);
    await started.reconcile();
    expect(await started.listNotFinal()).toEqual([]);
    expect(await bench.process().listNotFinal()).toEqual([]);
  });

  test('is checked by one of two processes, except for a final check in each', async () => {
    const { payments } = await settled();
    const other = bench.process();
    for (const process of [payments, other, payments]) await process.reconcile();
    const before = looks();
    mine(1);
    for (const process of [payments, other]) await process.reconcile();
    expect(looks()).toBe(before + 1);
    mine(2);
    for (const process of [payments, other]) await process.reconcile();
    expect([await payments.listNotFinal(), await other.listNotFinal()]).toEqual([[], []]);
  });

  test('a settlement is not considered lost while the chain is unreachable', async () => {
    const { payments, presented } = await settled();
    bench.chain.faults.failAll('lost', 'receipt', 'heads');
    mine(5);
    await payments.reconcile();
    expect(bench.story(presented)).toEqual(SETTLED);
    expect(await payments.listNotFinal()).toHaveLength(1);
  });
});

describe('a reorganisation', () => {
  afterEach(() => expect(bench.effects).toBe(1));

  test('that drops a transaction makes the service send it again', async () => {
    const { payments, presented, request, body } = await settled();
    bench.chain.reorganise(1);
    expect(bench.chain.transfers).toEqual([]);
    await payments.reconcile();
    expect(bench.chain.transfers).toEqual([presented.authorization.nonce]);
    expect(bench.story(presented)).toEqual(SETTLED);
    expect(await bench.buy(payments, request)).toMatchObject({ body });
    mine(4);
    await payments.reconcile();
    expect(await payments.listNotFinal()).toEqual([]);
  });

  test('that moves a transaction to another block is recorded', async () => {
    const { payments, presented } = await settled();
    bench.chain.reorganise(1);
    mine(1);
    await payments.reconcile();
    expect(bench.story(presented)).toEqual([...SETTLED, 'PaymentSettled']);
    expect(last(presented.paymentId).data).toMatchObject({ block: bench.chain.block });
    mine(3);
    await payments.reconcile();
    expect(await payments.listNotFinal()).toEqual([]);
  });

  test('that replaces our transaction by a transfer of a third party is recorded', async () => {
    const { payments, presented } = await settled();
    bench.chain.reorganise(1);
    const tx = bench.chain.sendAsStranger(presented.authorization);
    await payments.reconcile();
    expect(last(presented.paymentId)).toMatchObject({ type: 'PaymentSettled', data: { tx } });
    expect(bench.chain.transfers).toHaveLength(1);
  });

  test('that drops the transfer of a third party makes the service send its own', async () => {
    bench = new Bench({ finality: 4 });
    const presented = await bench.pay();
    const payments = bench.process({
      beforeStep: at('claim', () => bench.chain.sendAsStranger(presented.authorization)),
    });
    bench.chain.faults.plan('sign', 'lost');
    await bench.buy(payments, bench.request(presented));
    expect(bench.story(presented)).toEqual(['PaymentAccepted', 'PaymentSettled', 'PaymentApplied']);
    bench.chain.reorganise(1);
    await payments.reconcile();
    expect(bench.story(presented).slice(-2)).toEqual(['PaymentSubmitted', 'PaymentSettled']);
    expect(bench.chain.transfers).toHaveLength(1);
  });

  test('that gives our account nonce away makes the service sign a new transaction', async () => {
    const { payments, presented } = await settled();
    bench.chain.reorganise(1);
    bench.chain.useRelayerNonce();
    for (let pass = 0; pass < PASSES_MAX && bench.chain.transfers.length === 0; pass += 1) await payments.reconcile();
    expect(bench.story(presented)).toEqual([...SETTLED, 'PaymentSubmitted', 'PaymentSettled']);
    expect(bench.chain.transfers).toHaveLength(1);
  });
});

describe('a settled payment that can no longer be included', () => {
  const lossOf = (paymentId: string) => last(paymentId).data as EventOf<typeof PaymentLost>['data'];

  test('is lost once a final block shows its authorization cancelled', async () => {
    const { payments, presented } = await settled();
    bench.chain.reorganise(1);
    bench.chain.cancel(presented.authorization);
    await payments.reconcile();
    expect(bench.story(presented)).toEqual(SETTLED);
    mine(3);
    await payments.reconcile();
    expect(lossOf(presented.paymentId)).toMatchObject({ reason: 'authorization_spent', undone: false });
    expect(await payments.listNotFinal()).toEqual([]);
    expect(bench.chain.transfers).toEqual([]);
  });

  test('is lost once a final block after its expiry shows its authorization unused', async () => {
    const { payments, presented } = await settled();
    bench.chain.reorganise(1);
    bench.chain.balances.clear();
    await payments.reconcile();
    bench.clock.advance(6 * MINUTE_MS);
    mine(3);
    await payments.reconcile();
    expect(bench.story(presented)).not.toContain('PaymentLost');
    mine(1);
    await payments.reconcile();
    expect(lossOf(presented.paymentId)).toMatchObject({ reason: 'authorization_expired' });
  });

  test('returns the same response while its effect is in force', async () => {
    const { payments, presented, request, body } = await settled();
    bench.chain.reorganise(1);
    bench.chain.cancel(presented.authorization);
    mine(3);
    await payments.reconcile();
    expect(await bench.buy(payments, request)).toMatchObject({ body });
    expect(bench.effects).toBe(1);
  });

  test('returns an offer after its effect was reverted and accepts a new payment', async () => {
    const { payments, presented, request } = await settled();
    bench.undoes = true;
    bench.chain.reorganise(1);
    bench.chain.cancel(presented.authorization);
    mine(3);
    await payments.reconcile();
    expect(lossOf(presented.paymentId)).toMatchObject({ undone: true });
    expect((await refusalOf(bench.buy(payments, request))).code).toBe('authorization_refused');
    const again = bench.request(await bench.pay(), {}, 'nonce-1');
    expect((await bench.buy(payments, again)).body).toMatchObject({ paid: true });
    expect(bench.chain.transfers).toHaveLength(1);
  });

  test('is lost once even if the process dies before it records the loss', async () => {
    const { presented } = await settled();
    bench.undoes = true;
    bench.chain.reorganise(1);
    bench.chain.cancel(presented.authorization);
    mine(3);
    bench.log.faults.plan('append', null, ...Array.from({ length: 20 }, () => 'lost' as const));
    await bench.process().reconcile();
    expect([bench.story(presented), bench.effects]).toEqual([SETTLED, 2]);
    bench.clock.advance(MINUTE_MS);
    const heir = bench.process();
    for (let pass = 0; pass < PASSES_MAX && bench.story(presented).length === 4; pass += 1) await heir.reconcile();
    expect(bench.story(presented)).toEqual([...SETTLED, 'PaymentLost']);
    expect(lossOf(presented.paymentId)).toMatchObject({ undone: true });
    expect(bench.effects).toBe(2);
  });
});
