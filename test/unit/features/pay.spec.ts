import { describe, expect, test } from '@jest/globals';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Muse } from '#libs/domain/muse.js';
import { Payment } from '#libs/domain/payment.js';
import { pay } from '#libs/features/deliveries/pay.js';
import { recordWage, startWage } from '#libs/features/deliveries/wage.js';
import { ReceiptLinks } from '#libs/features/feed/views/receipts.js';
import type { Fact } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import type { PaymentAcceptedEvent, SettledPaymentState } from '#libs/payments/purchase.js';
import { commandContext, asEvents, stateOf } from '../../given.js';
import { refusalOf } from '../in-memory-stores.js';
import { deciding, decides, effectOf, running, storesWithHire, testDecisions, testRefusals } from './deciding.js';
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

const hired = [world.hired()];
const delivered = [...hired, world.delivered()];
const read = [...delivered, world.deliveryRead()];
const begun = [...read, world.wageStarted];

describe('paying a hire', () => {
  const looked = may(POSTER, { digest: DIGEST });
  testDecisions(Hire, {}, [
    ['is allowed to the poster after a delivery', delivered, may(), {}],
    ['is allowed for the digest of the delivery', read, looked, {}],
    ['is not refused on a paid hire, which has a receipt', [...delivered, world.paid], may(), {}],
  ]);

  testRefusals(Hire, [
    ['for another digest', read, may(POSTER, { digest: sha256Hex('adieu') }), 'delivery_changed', 'digest'],
    ['for the digest of an older delivery', [...read, world.delivered(2)], looked, 'delivery_changed', 'digest'],
    ['on a hire that does not exist', [], may(), 'not_found', 'hire'],
    ['to the worker', delivered, may(WORKER), 'not_the_poster'],
    ['to a stranger', delivered, may(STRANGER), 'not_the_poster'],
    ['before a delivery', hired, may(), 'not_delivered'],
    ['on an ended hire', [...hired, world.hireEnded()], may(), 'hire_ended'],
    ['without a budget', [world.hired({ wage: null }), world.delivered()], may(), 'no_budget'],
  ]);
});

describe('starting a wage', () => {
  const starting =
    (delivery = 1, actor = POSTER) =>
    (hire: Hire) => {
      const [event] = asEvents([accepted(delivery)], Payment.streamName(WAGE));
      return [
        ...startWage.decide(hire, { ...event, actor } as PaymentAcceptedEvent, deciding(actor), { own: Muse.initial }),
      ];
    };

  testDecisions(Hire, {}, [
    ['records the delivery and its digest', read, starting(), { WageStarted: {} }],
    ['has no digest if the delivery was not read', delivered, starting(), { WageStarted: { digest: null } }],
    ['writes nothing for a replaced delivery', [...delivered, world.delivered(2)], starting(), {}],
    ['writes nothing for a paid hire', [...delivered, world.paid], starting(), {}],
    ['writes nothing for another actor', delivered, starting(1, STRANGER), {}],
  ]);

  test('writes once and continues after a crash', async () => {
    const stores = await storesWithHire(...delivered);
    const effect = effectOf(pay, stores, stores);
    const [event] = asEvents([accepted()], Payment.streamName(WAGE));
    const by = { ...event, actor: POSTER } as PaymentAcceptedEvent;
    const context = commandContext(POSTER, { requestKey: 'payment/1/begin' });
    expect(await effect.onAccepted(by, context)).toBe(true);
    expect(await effect.onAccepted(by, context)).toBe(true);
    expect(stores.types(Hire.streamName(HIRE))).toEqual(['Hired', 'Delivered', 'WageStarted']);
    const second = { ...context, requestKey: 'payment/2/begin', cause: 'payment/2' };
    await stores.journal.append(Hire.streamName(HIRE), 'any', asEvents([world.paid], Hire.streamName(HIRE)));
    expect(await effect.onAccepted(by, second)).toBe(false);
  });
});

describe('recording a wage', () => {
  const record = (hire: Hire) => [...recordWage.decide(hire, settled, deciding(POSTER), {})];

  const chain = { tx: settled.tx, block: 41, payment: settled.accepted.data.payment };
  testDecisions(Hire, { Paid: { ...chain, item: expect.any(Number) } }, [
    ['names the payment, its transaction and its block', begun, record, { Paid: {} }],
    ['uses the delivery of the started wage', [...begun, world.told('DeliveryDrifted')], record, { Paid: {} }],
    ['writes nothing without a started wage', delivered, record, {}],
    ['writes nothing on a paid hire', [...begun, world.paid], record, {}],
  ]);

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
    await stores.append(Muse.streamName(WORKER), ...muse);
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
      const { fake, buy } = await counter(delivered, [...muse]);
      await buy();
      expect(fake.sold).toMatchObject([{ payTo, amount: 10_000_000n, things: [{ value: `pay/${HIRE}` }] }]);
    }
  });

  test('offers the whole wage on the job’s own rail only', async () => {
    const { fake, buy } = await counter(delivered, [worker({ payout_address: PAYOUT })]);
    await buy();
    const offered = { path: '/api/pay', amount: 10_000_000n, payTo: PAYOUT };
    expect(fake.sold).toMatchObject([{ ...offered, subject: { hire: HIRE, delivery: 1 } }]);
    expect(fake.sold[0]!.rails).toMatchObject([{ name: 'usdc-base' }]);
    expect(fake.sold[0]!.rails).toHaveLength(1);
  });

  test('is refused if the worker has no address', async () => {
    const { fake, buy } = await counter(delivered, [worker({ payout_address: null })]);
    expect(await refusalOf(buy())).toMatchObject({ code: 'worker_has_no_wallet' });
    expect(fake.sold).toEqual([]);
  });

  test('returns the receipt of a paid hire for free', async () => {
    const { fake, buy } = await counter([...delivered, world.paid], [worker({})]);
    const first = await buy();
    expect(await buy()).toEqual(first);
    expect(first.body).toMatchObject({ hire: HIRE, paid: true, payment: null, receipt: { kind: 'receipt' } });
    expect(fake.sold).toEqual([]);
  });
});
