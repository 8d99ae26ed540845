import { describe, expect, test } from '@jest/globals';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Muse } from '#libs/domain/muse.js';
import { Payment } from '#libs/domain/payment.js';
import { pay } from '#libs/features/hires/pay.js';
import { recordWage, startWage } from '#libs/features/hires/wage.js';
import { ReceiptLinks } from '#libs/features/feed/views/receipts.js';
import type { Fact } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { PaymentAcceptedEvent, SettledPaymentState } from '#libs/payments/purchase.js';
import { commandContext, asEvents, given, stateOf } from '../../given.js';
import { refusalOf } from '../in-memory-stores.js';
import { deciding, decides, effectOf, running } from './deciding.js';
import { storesWithHire } from './hires.js';
import { SETTINGS, FakePayments } from './purchases.js';
import { WAGE } from '../../vectors/payment-story.js';
import * as world from './worlds.js';

const { HIRE, POSTER, STRANGER, WORKER } = world;
const sent = { hire: String(HIRE) };
const LINKS = new ReceiptLinks(false, { baseUrl: 'http://localhost' });
const DIGEST = sha256Hex('bonjour');

const may = (actor = POSTER, changed: object = {}) => decides(pay, { ...sent, ...changed }, actor);

const accepted = (delivery = 1) =>
  world.told('PaymentAccepted', {
    endpoint: 'pay',
    payment: WAGE,
    hire: HIRE,
    fields: { hire: String(HIRE) },
    subject: { hire: HIRE, delivery },
  });
const settled = stateOf(Payment, accepted(), world.told('PaymentSettled', { payment: WAGE })) as SettledPaymentState;
const begun = [world.hired(), world.delivered(), world.deliveryRead(), world.wageStarted];

describe('who may pay', () => {
  test('the poster pays what was delivered', () => {
    given(Hire, world.hired(), world.delivered()).when(may()).thenNothing();
  });

  test('a digest that the poster names is that of the latest delivery', () => {
    const read = [world.hired(), world.delivered(), world.deliveryRead()];
    given(Hire, ...read)
      .when(may(POSTER, { digest: DIGEST }))
      .thenNothing();
    given(Hire, ...read)
      .when(may(POSTER, { digest: sha256Hex('adieu') }))
      .thenRefused('delivery_changed', 'digest');
    given(Hire, ...read, world.delivered(2))
      .when(may(POSTER, { digest: DIGEST }))
      .thenRefused('delivery_changed', 'digest');
  });

  test('a hire that does not exist is not paid', () => {
    given(Hire).when(may()).thenRefused('not_found', 'hire');
  });

  test('only the poster of a job pays for it', () => {
    given(Hire, world.hired(), world.delivered()).when(may(WORKER)).thenRefused('not_the_poster');
    given(Hire, world.hired(), world.delivered()).when(may(STRANGER)).thenRefused('not_the_poster');
  });

  test('nothing is paid before a delivery', () => {
    given(Hire, world.hired()).when(may()).thenRefused('not_delivered');
  });

  test('nothing is paid on a hire that was ended', () => {
    given(Hire, world.hired(), world.hireEnded()).when(may()).thenRefused('hire_ended');
  });

  test('a hire without a budget is not paid', () => {
    given(Hire, world.hired({ budget: null }), world.delivered())
      .when(may())
      .thenRefused('no_budget');
  });

  test('who asks to pay a paid hire is not refused: there is a receipt to answer', () => {
    given(Hire, world.hired(), world.delivered(), world.paid).when(may()).thenNothing();
  });
});

describe('a wage that begins', () => {
  const starting =
    (delivery = 1, actor = POSTER) =>
    (hire: Hire) => {
      const [event] = asEvents([accepted(delivery)], Payment.streamName(WAGE));
      return [...startWage.decide(hire, { ...event, actor } as PaymentAcceptedEvent, deciding(actor))];
    };

  test('names the delivery that it is for, and what that was read as', () => {
    const [fact] = given(Hire, world.hired(), world.delivered(), world.deliveryRead())
      .when(starting())
      .thenTypes('WageStarted');
    expect(fact!.data).toMatchObject({ payment: WAGE, delivery: 1, digest: DIGEST, worker: WORKER });
    const [unread] = given(Hire, world.hired(), world.delivered()).when(starting()).thenTypes('WageStarted');
    expect(unread!.data).toMatchObject({ digest: null });
  });

  test('is none for a delivery that was swapped, for a paid hire, or for anybody but the poster', () => {
    given(Hire, world.hired(), world.delivered(), world.delivered(2)).when(starting()).thenNothing();
    given(Hire, world.hired(), world.delivered(), world.paid).when(starting()).thenNothing();
    given(Hire, world.hired(), world.delivered()).when(starting(1, STRANGER)).thenNothing();
  });

  test('is written once, and goes on after a crash', async () => {
    const stores = await storesWithHire(world.hired(), world.delivered());
    const effect = effectOf(pay, stores, stores);
    const [event] = asEvents([accepted()], Payment.streamName(WAGE));
    const by = { ...event, actor: POSTER } as PaymentAcceptedEvent;
    const context = commandContext(POSTER, { requestKey: 'payment/1/begin' });
    expect(await effect.onAccepted(by, context)).toBe(true);
    expect(await effect.onAccepted(by, context)).toBe(true);
    expect(stores.types(Hire.streamName(HIRE))).toEqual(['Hired', 'Delivered', 'WageStarted']);
    const second = { ...context, requestKey: 'payment/2/begin' };
    await stores.journal.append(Hire.streamName(HIRE), 'any', asEvents([world.paid], Hire.streamName(HIRE)));
    expect(await effect.onAccepted(by, second)).toBe(false);
  });
});

describe('recording a wage', () => {
  const record = (hire: Hire) => [...recordWage.decide(hire, settled, deciding(POSTER))];

  test('the receipt names the payment, its transaction and block', () => {
    const [fact] = given(Hire, ...begun)
      .when(record)
      .thenTypes('Paid');
    const money = { amount: '10000000', usd: '10', token: 'USDC', rail: 'usdc-base' };
    expect(fact!.data).toMatchObject({ ...money, tx: settled.tx, block: 41, payment: settled.accepted.data.payment });
  });

  test('it is for the delivery that its wage began for, as that was read then', () => {
    const [fact] = given(Hire, ...begun, world.told('DeliveryDrifted'))
      .when(record)
      .thenTypes('Paid');
    expect(fact!.data).toMatchObject({ delivery: 1, digest: DIGEST });
    given(Hire, world.hired(), world.delivered()).when(record).thenNothing();
  });

  test('a hire is paid once', () => {
    given(Hire, ...begun, world.paid)
      .when(record)
      .thenNothing();
  });

  test('the effect, applied twice, writes one receipt and answers the same', async () => {
    const stream = Hire.streamName(HIRE);
    const stores = await storesWithHire(...begun);
    const effect = effectOf(pay, stores, { ...stores, links: LINKS });
    const context = commandContext(POSTER, { requestKey: 'payment/1' });
    await effect.apply(settled, context);
    const first = await effect.answer(settled, context);
    expect(await effect.apply(settled, context)).toEqual({ outcome: 'applied' });
    expect(await effect.answer(settled, context)).toEqual(first);
    expect(first.body).toMatchObject({ hire: HIRE, paid: true, receipt: { kind: 'receipt', muse_id: WORKER } });
    expect(stores.types(stream)).toEqual(['Hired', 'Delivered', 'DeliveryRead', 'WageStarted', 'Paid']);
  });
});

describe('what is sold', () => {
  const PAYOUT = `0x${'6'.repeat(40)}`;
  const worker = (changed: object) => world.told('Registered', { muse_id: WORKER, ...changed });

  async function counter(hire: Fact[], muse: Fact[]) {
    const stores = await storesWithHire(...hire);
    await stores.journal.append(Muse.streamName(WORKER), 'none', asEvents(muse, Muse.streamName(WORKER)));
    const fake = new FakePayments();
    const run = running(pay, stores, { journal: stores.journal, settings: SETTINGS, links: LINKS }, fake);
    const request = stores.request(POSTER);
    return { fake, buy: () => run(sent, request) };
  }

  test('a wage goes to the wallet that is verified, else to the address that the worker named', async () => {
    const named = worker({ payout_address: PAYOUT });
    for (const [muse, payTo] of [
      [[named], PAYOUT],
      [[named, world.told('Verified')], (world.told('Verified').data as { wallet: string }).wallet],
    ] as const) {
      const { fake, buy } = await counter([world.hired(), world.delivered()], [...muse]);
      await buy();
      expect(fake.sold).toMatchObject([{ payTo, amount: 10_000_000n, things: [{ value: `pay/${HIRE}` }] }]);
    }
  });

  test('a wage is offered on the job’s own rail alone, whole', async () => {
    const { fake, buy } = await counter([world.hired(), world.delivered()], [worker({ payout_address: PAYOUT })]);
    await buy();
    const offered = { path: '/api/pay', amount: 10_000_000n, payTo: PAYOUT };
    expect(fake.sold).toMatchObject([{ ...offered, subject: { hire: HIRE, delivery: 1 } }]);
    expect(fake.sold[0]!.rails).toMatchObject([{ name: 'usdc-base' }]);
    expect(fake.sold[0]!.rails).toHaveLength(1);
  });

  test('a worker with neither is not paid', async () => {
    const { fake, buy } = await counter([world.hired(), world.delivered()], [worker({ payout_address: null })]);
    expect(await refusalOf(buy())).toMatchObject({ code: 'worker_has_no_wallet' });
    expect(fake.sold).toEqual([]);
  });

  test('a hire that is paid is answered with its receipt, for nothing', async () => {
    const { fake, buy } = await counter([world.hired(), world.delivered(), world.paid], [worker({})]);
    const first = await buy();
    expect(await buy()).toEqual(first);
    expect(first.body).toMatchObject({ hire: HIRE, paid: true, payment: null, receipt: { kind: 'receipt' } });
    expect(fake.sold).toEqual([]);
  });
});
