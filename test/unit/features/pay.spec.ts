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

describe('paying a hire', () => {
  test('is allowed to the poster after a delivery', () => {
    given(Hire, world.hired(), world.delivered()).when(may()).thenNothing();
  });

  test('checks a given digest against the latest delivery', () => {
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

  test('is refused on a hire that does not exist', () => {
    given(Hire).when(may()).thenRefused('not_found', 'hire');
  });

  test('is refused unless the poster pays', () => {
    given(Hire, world.hired(), world.delivered()).when(may(WORKER)).thenRefused('not_the_poster');
    given(Hire, world.hired(), world.delivered()).when(may(STRANGER)).thenRefused('not_the_poster');
  });

  test('is refused before a delivery', () => {
    given(Hire, world.hired()).when(may()).thenRefused('not_delivered');
  });

  test('is refused on an ended hire', () => {
    given(Hire, world.hired(), world.hireEnded()).when(may()).thenRefused('hire_ended');
  });

  test('is refused without a budget', () => {
    given(Hire, world.hired({ budget: null }), world.delivered())
      .when(may())
      .thenRefused('no_budget');
  });

  test('is not refused on a paid hire, which has a receipt', () => {
    given(Hire, world.hired(), world.delivered(), world.paid).when(may()).thenNothing();
  });
});

describe('starting a wage', () => {
  const starting =
    (delivery = 1, actor = POSTER) =>
    (hire: Hire) => {
      const [event] = asEvents([accepted(delivery)], Payment.streamName(WAGE));
      return [...startWage.decide(hire, { ...event, actor } as PaymentAcceptedEvent, deciding(actor))];
    };

  test('records the delivery and its digest', () => {
    const [fact] = given(Hire, world.hired(), world.delivered(), world.deliveryRead())
      .when(starting())
      .thenTypes('WageStarted');
    expect(fact!.data).toMatchObject({ payment: WAGE, delivery: 1, digest: DIGEST, worker: WORKER });
    const [unread] = given(Hire, world.hired(), world.delivered()).when(starting()).thenTypes('WageStarted');
    expect(unread!.data).toMatchObject({ digest: null });
  });

  test('writes nothing for a replaced delivery, a paid hire or another actor', () => {
    given(Hire, world.hired(), world.delivered(), world.delivered(2)).when(starting()).thenNothing();
    given(Hire, world.hired(), world.delivered(), world.paid).when(starting()).thenNothing();
    given(Hire, world.hired(), world.delivered()).when(starting(1, STRANGER)).thenNothing();
  });

  test('writes once and continues after a crash', async () => {
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

  test('names the payment, its transaction and its block', () => {
    const [fact] = given(Hire, ...begun)
      .when(record)
      .thenTypes('Paid');
    const money = { amount: '10000000', usd: '10', token: 'USDC', rail: 'usdc-base' };
    expect(fact!.data).toMatchObject({ ...money, tx: settled.tx, block: 41, payment: settled.accepted.data.payment });
  });

  test('uses the delivery and digest of the started wage', () => {
    const [fact] = given(Hire, ...begun, world.told('DeliveryDrifted'))
      .when(record)
      .thenTypes('Paid');
    expect(fact!.data).toMatchObject({ delivery: 1, digest: DIGEST });
    given(Hire, world.hired(), world.delivered()).when(record).thenNothing();
  });

  test('writes nothing on a paid hire', () => {
    given(Hire, ...begun, world.paid)
      .when(record)
      .thenNothing();
  });

  test('writes one receipt and returns the same response if the effect runs twice', async () => {
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

describe('the purchase of a wage', () => {
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

  test('pays the verified wallet, or else the payout address of the worker', async () => {
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

  test('offers the whole wage on the job’s own rail only', async () => {
    const { fake, buy } = await counter([world.hired(), world.delivered()], [worker({ payout_address: PAYOUT })]);
    await buy();
    const offered = { path: '/api/pay', amount: 10_000_000n, payTo: PAYOUT };
    expect(fake.sold).toMatchObject([{ ...offered, subject: { hire: HIRE, delivery: 1 } }]);
    expect(fake.sold[0]!.rails).toMatchObject([{ name: 'usdc-base' }]);
    expect(fake.sold[0]!.rails).toHaveLength(1);
  });

  test('is refused if the worker has no address', async () => {
    const { fake, buy } = await counter([world.hired(), world.delivered()], [worker({ payout_address: null })]);
    expect(await refusalOf(buy())).toMatchObject({ code: 'worker_has_no_wallet' });
    expect(fake.sold).toEqual([]);
  });

  test('returns the receipt of a paid hire for free', async () => {
    const { fake, buy } = await counter([world.hired(), world.delivered(), world.paid], [worker({})]);
    const first = await buy();
    expect(await buy()).toEqual(first);
    expect(first.body).toMatchObject({ hire: HIRE, paid: true, payment: null, receipt: { kind: 'receipt' } });
    expect(fake.sold).toEqual([]);
  });
});
