import { type Asked, type Judged, mustHold } from '#libs/verbs/decision.js';
import * as hires from '#libs/streams/hire.js';
import { DeliveryRead, Hire, hasDelivery } from '#libs/streams/hire.js';
import { Deliver, DeliverDto, deliver, wagePayment } from '#libs/features/hires/commands/deliver.js';
import { recordPayment, startWage } from '#libs/features/hires/commands/pay.js';
import { known, partiesOf } from '#libs/features/hires/hire-rules.js';
import { readAtLast } from '#libs/features/records/delivery-retry.js';
import { compare } from '#libs/features/records/drift-checker.js';
import type { DtoClass } from '#libs/http/validate.js';
import type { Fact } from '#libs/kernel/event.js';
import type { Accepted as PaymentAccepted } from '#libs/streams/payment.js';
import { beginning, effect, own, request } from './request.js';
import { shown } from '#libs/verbs/decision.js';

/** What is decided in the stream of the hire that the request names. */
const onHire = <D extends { readonly hire: string }>(
  endpoint: string,
  writes: readonly { readonly type: string }[],
  dto: DtoClass<D>,
  decide: (hire: Hire, dto: D, asked: Asked) => Fact[],
) =>
  request(endpoint, {
    ...{ dto, writes },
    caller: 'joined',
    stream: ({ hire }) => Hire.named(Number(hire)),
    decide: (given, asked) => decide(asked.own(Hire), given, asked),
  });

type Read = {
  readonly delivery: number;
  readonly digest: string | null;
  readonly bytes: number;
  reason: string | null;
};
const said = ({ event }: Asked) => event.data as Read;

/** The first reading of a delivery: what was found is the event's to say, that it was not read before is not. */
function readDelivery(hire: Hire, asked: Asked): Fact[] {
  known(hire);
  const { delivery, digest, bytes, reason } = said(asked);
  const latest = hasDelivery(hire) && hire.delivery.delivery === delivery ? hire.delivery : null;
  const caused = latest === null || latest.event === asked.event.cause;
  mustHold(caused, `Delivery ${delivery} was made by another event.`);
  mustHold(latest?.digest === undefined, `Delivery ${delivery} had been read before.`);
  const found = digest === null ? { digest, bytes: 0, reason: shown(reason) } : { digest, bytes, reason: null };
  return [DeliveryRead({ ...partiesOf(hire), delivery, ...found })];
}

const paidHire = ({ data }: PaymentAccepted) => Hire.named((shown(data.subject) as { hire: number }).hire);

export const HIRE_DECISIONS: readonly Judged[] = [
  onHire('deliver', [hires.Delivered], DeliverDto, (hire, dto, { context, read }) => {
    const wage = wagePayment(hire);
    return deliver(hire, new Deliver(dto, context), wage && read(wage));
  }),
  own('read-delivery', 'service', [DeliveryRead], asked => readDelivery(asked.own(Hire), asked)),
  own('retry-delivery', 'service', [DeliveryRead], asked => {
    const { delivery, digest, bytes } = said(asked);
    return readAtLast(asked.own(Hire), delivery, { digest: shown(digest), bytes });
  }),
  own('compare-delivery', 'service', [hires.DeliveryDrifted, hires.DeliveryMatches], asked =>
    compare(asked.own(Hire), said(asked).delivery, shown(said(asked).digest)),
  ),
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
