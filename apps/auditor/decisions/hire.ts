import { type Asked, type Judged } from '#libs/verbs/decision.js';
import * as hires from '#libs/streams/hire.js';
import { Deliver, DeliverDto, deliver, wagePayment } from '#libs/features/hires/commands/deliver.js';
import { recordPayment, startWage } from '#libs/features/hires/commands/pay.js';
import type { DtoClass } from '#libs/http/validate.js';
import type { Fact } from '#libs/kernel/event.js';
import type { Accepted as PaymentAccepted } from '#libs/streams/payment.js';
import { beginning, effect, request } from './request.js';
import { Hire } from '#libs/streams/hire.js';
import { shown } from '#libs/verbs/decision.js';

/** What is decided in the stream of the hire that the request names. */
const onHire = <D extends { readonly hire: string }>(
  endpoint: string,
  writes: readonly { readonly type: string }[],
  dto: DtoClass<D>,
  decide: (hire: Hire, dto: D, asked: Asked) => Fact[],
) =>
  request(endpoint, {
    dto,
    writes,
    caller: 'joined',
    stream: ({ hire }) => Hire.named(Number(hire)),
    decide: (given, asked) => decide(asked.own(Hire), given, asked),
  });

const paidHire = ({ data }: PaymentAccepted) => Hire.named((shown(data.subject) as { hire: number }).hire);

export const HIRE_DECISIONS: readonly Judged[] = [
  onHire('deliver', [hires.Delivered], DeliverDto, (hire, dto, { context, read }) => {
    const wage = wagePayment(hire);
    return deliver(hire, new Deliver(dto, context), wage && read(wage));
  }),
  beginning('pay', {
    writes: [hires.WageStarted],
    stream: paidHire,
    decide: (accepted, { own: state }) => startWage(state(Hire), accepted),
  }),
  effect('pay', {
    writes: [hires.Paid],
    stream: ({ accepted }) => paidHire(accepted),
    decide: (payment, { context, own: state }) => recordPayment(state(Hire), payment, context),
  }),
];
