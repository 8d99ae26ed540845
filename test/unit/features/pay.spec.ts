import { describe, expect, test } from '@jest/globals';
import { Hire } from '#libs/domain/hire.js';
import { Payment } from '#libs/domain/payment.js';
import { hireStream } from '#libs/events/streams.js';
import { mayPay, type PayDto, PayEffect, recordPayment, wage } from '#libs/features/hires/commands/pay.js';
import type { Fact } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import type { Settled } from '#libs/payments/purchase.js';
import { RAILS } from '#libs/payments/rails.js';
import { acting, asEvents, given, stateOf } from '../../given.js';
import { Desk } from '../desk.js';
import * as world from './worlds.js';

const { HIRE, POSTER, STRANGER, WORKER } = world;
const dto: PayDto = { hire: String(HIRE) };
const DIGEST = sha256Hex('bonjour');

const may =
  (actor = POSTER, changed: Partial<PayDto> = {}) =>
  (hire: Hire): Fact[] => {
    mayPay(hire, { dto: { ...dto, ...changed }, context: acting(actor) });
    return [];
  };

const settled = stateOf(
  Payment,
  world.told('PaymentAccepted', { subject: { hire: HIRE } }),
  world.told('PaymentSettled'),
) as Settled;

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

  test('a hire without a budget is not paid', () => {
    given(Hire, world.hired({ budget: null }), world.delivered())
      .when(may())
      .thenRefused('no_budget');
  });

  test('who asks to pay a paid hire is not refused: there is a receipt to answer', () => {
    given(Hire, world.hired(), world.delivered(), world.paid).when(may()).thenNothing();
  });

  test('a wage is offered on the job’s own rail alone, whole', () => {
    const hire = stateOf(Hire, world.hired(), world.delivered()) as Parameters<typeof wage>[0];
    const offered = wage(hire, '0x1', new PaymentSettings(RAILS, '0x2'));
    expect(offered).toMatchObject({
      path: '/api/pay',
      amount: 10_000_000n,
      payTo: '0x1',
      rails: [{ name: 'usdc-base' }],
    });
  });
});

describe('recording a wage', () => {
  const record = (hire: Hire) => recordPayment(hire, settled, acting(POSTER));

  test('the receipt names the payment, its transaction and block', () => {
    const [fact] = given(Hire, world.hired(), world.delivered()).when(record).thenTypes('Paid');
    const money = { amount: '10000000', usd: '10', token: 'USDC', rail: 'usdc-base' };
    expect(fact!.data).toMatchObject({ ...money, tx: settled.tx, block: 41, payment: settled.accepted.data.payment });
  });

  test('a hire is paid once', () => {
    given(Hire, world.hired(), world.delivered(), world.paid).when(record).thenNothing();
  });

  test('the effect, applied twice, writes one receipt and answers the same', async () => {
    const desk = new Desk();
    const stream = hireStream(HIRE);
    await desk.journal.append(stream, 'none', asEvents([world.hired(), world.delivered()], stream));
    const effect = new PayEffect(desk.journal);
    const context = acting(POSTER, { requestKey: 'payment/1' });
    await effect.apply(settled, context);
    const first = await effect.answer(settled, context);
    expect(await effect.apply(settled, context)).toEqual({ outcome: 'applied' });
    expect(await effect.answer(settled, context)).toEqual(first);
    expect(first.body).toMatchObject({ hire: HIRE, paid: true, receipt: { kind: 'receipt', muse_id: WORKER } });
    expect(desk.types(stream)).toEqual(['Hired', 'Delivered', 'Paid']);
  });
});
