import type { Asked, Judged } from '#libs/audit/decisions/decision.js';
import { DeliveryRead, Hire, hasDelivery } from '#libs/streams/hire.js';
import { Accept, AcceptDto, accept } from '#libs/features/hires/commands/accept.js';
import { Deliver, DeliverDto, deliver } from '#libs/features/hires/commands/deliver.js';
import { Dispute, DisputeDto, dispute } from '#libs/features/hires/commands/dispute.js';
import { EndHire, EndHireDto, endHire } from '#libs/features/hires/commands/end-hire.js';
import { recordPayment } from '#libs/features/hires/commands/pay.js';
import { Recheck, RecheckDto, recheck } from '#libs/features/hires/commands/recheck.js';
import { RecheckReply, RecheckReplyDto, recheckReply } from '#libs/features/hires/commands/recheck-reply.js';
import { known, partiesOf } from '#libs/features/hires/hire-rules.js';
import { readAtLast } from '#libs/features/records/delivery-retry.js';
import { compare } from '#libs/features/records/drift-checker.js';
import type { DtoClass } from '#libs/http/validate.js';
import type { Fact } from '#libs/kernel/event.js';
import { rule } from '#libs/kernel/refusal.js';
import { effect, own, request, shown } from './request.js';

/** What is decided in the stream of the hire that the request names. */
const onHire = <D extends { readonly hire: string }>(
  endpoint: string,
  dto: DtoClass<D>,
  decide: (hire: Hire, dto: D, asked: Asked) => Fact[],
) =>
  request(endpoint, {
    dto,
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

const disputed = onHire('dispute', DisputeDto, (hire, dto, { context }) => dispute(hire, new Dispute(dto, context)));

/** The first reading of a delivery: what was found is the event's to say, that it was not read before is not. */
function readDelivery(hire: Hire, asked: Asked): Fact[] {
  known(hire);
  const { delivery, digest, bytes, reason } = said(asked);
  const latest = hasDelivery(hire) && hire.delivery.delivery === delivery ? hire.delivery : null;
  const caused = latest === null || latest.event === asked.event.cause;
  rule(caused, 'cause', `Delivery ${delivery} was made by another event.`);
  rule(latest?.digest === undefined, 'read', `Delivery ${delivery} had been read before.`);
  const found = digest === null ? { digest, bytes: 0, reason: shown(reason) } : { digest, bytes, reason: null };
  return [DeliveryRead({ ...partiesOf(hire), delivery, ...found })];
}

const compared = own('service', 'a delivery was compared', asked =>
  compare(asked.own(Hire), said(asked).delivery, shown(said(asked).digest)),
);

export const HIRE_DECISIONS: { readonly [type: string]: Judged } = {
  Hired: { rule: 'It follows from its seat: the same data, time and actor, an id derived from it.' },
  Delivered: {
    by: [onHire('deliver', DeliverDto, (hire, dto, { context }) => deliver(hire, new Deliver(dto, context)))],
  },
  DeliveryRead: {
    by: [
      own('service', 'a delivery was read', asked => readDelivery(asked.own(Hire), asked)),
      own('service', 'a delivery was read at last', asked => {
        const { delivery, digest, bytes } = said(asked);
        return readAtLast(asked.own(Hire), delivery, { digest: shown(digest), bytes });
      }),
    ],
  },
  DeliveryDrifted: { by: [compared] },
  DeliveryMatches: { by: [compared] },
  Rechecked: {
    by: [
      onHire('recheck', RecheckDto, (hire, dto, { context, event }) =>
        recheck(hire, new Recheck(dto, context), (event.data as { recheck: number }).recheck),
      ),
    ],
  },
  RecheckReplied: {
    by: [
      onHire('recheck_reply', RecheckReplyDto, (hire, dto, { context }) =>
        recheckReply(hire, new RecheckReply(dto, context)),
      ),
    ],
  },
  Accepted: {
    by: [onHire('accept', AcceptDto, (hire, dto, { context }) => accept(hire, new Accept(dto, context)))],
  },
  Disputed: { by: [disputed] },
  DisputeWithdrawn: { by: [disputed] },
  HireEnded: {
    by: [onHire('end_hire', EndHireDto, (hire, dto, { context }) => endHire(hire, new EndHire(dto, context)))],
  },
  Paid: {
    by: [
      effect(
        'pay',
        ({ accepted }) => Hire.named((shown(accepted.data.subject) as { hire: number }).hire),
        (payment, { context, own: state }) => recordPayment(state(Hire), payment, context),
      ),
    ],
  },
};
