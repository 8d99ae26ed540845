import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Delivered, Hire, hasDelivery } from '#libs/streams/hire.js';
import { isOpen, Payment } from '#libs/streams/payment.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { Id, Text } from '#libs/http/fields.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { fieldRule, rule } from '#libs/kernel/refusal.js';
import { PENDING_RETRY_SECONDS } from '#libs/payments/answers.js';
import { SafeFetch } from '#libs/safe-fetch/safe-fetch.js';
import { hireEvidence } from '#libs/views/positions.js';
import { type DeliveredEvent, DeliveryReader } from '#libs/deliveries/delivery-reader.js';
import { asWorker, known, partiesOf } from '../hire-rules.js';

const URL_CHARACTERS_MAX = 500;

export class DeliverDto {
  @Id({ required: true }) hire!: string;
  @Text({ max: URL_CHARACTERS_MAX }, { required: true }) url!: string;
  @Text({ max: 600 }) note?: string;
}

export class Deliver extends Command<Answer> {
  constructor(
    readonly dto: DeliverDto,
    readonly context: Context,
  ) {
    super();
  }
}

/** The payment of the wage that has begun for what was delivered. */
export const wagePayment = (hire: Hire) => (hasDelivery(hire) && hire.wage ? Payment.of(hire.wage.payment) : undefined);

/**
 * A delivery may be repeated until it is accepted or paid; every version stays on the record. What a wage that is under
 * way is paid for stays as it is.
 */
export function deliver(hire: Hire, { dto, context }: Deliver, wage?: Payment): Fact[] {
  known(hire);
  asWorker(hire, context);
  rule(hire.status !== 'ended', 'hire_ended', 'The hire was ended.');
  rule(hire.status !== 'paid', 'already_paid', 'The hire is paid; what was delivered stands.');
  rule(hire.status === 'hired' || !hire.acceptance, 'already_accepted', 'The delivery was accepted; it stands.');
  rule(
    wage === undefined || !isOpen(wage),
    'settlement_pending',
    'The latest delivery is being paid for; look again when that has ended.',
    { retryAfter: PENDING_RETRY_SECONDS, retryable: true },
  );
  const first = hire.status === 'hired';
  const delivery = first ? 1 : hire.delivery.delivery + 1;
  const what = { url: dto.url, post: null, note: dto.note || null };
  return [Delivered({ ...partiesOf(hire), delivery, ...what, skills: hire.skills, proves: first && !hire.dispute })];
}

@CommandHandler(Deliver)
export class DeliverHandler implements ICommandHandler<Deliver> {
  constructor(
    private readonly journal: Journal,
    private readonly reader: DeliveryReader,
    private readonly safeFetch: SafeFetch,
  ) {}

  async execute(command: Deliver): Promise<Answer> {
    const { dto, context } = command;
    const fault = this.safeFetch.checkUrl(dto.url);
    fieldRule(fault === null, 'url', `url cannot be read by the service: ${fault}.`);
    const hire = Number(dto.hire);
    const { events } = await carryOut(this.journal, context, {
      writes: Hire.of(hire),
      reads: state => ({ wage: wagePayment(state) }),
      decide: (state, { wage }) => deliver(state, command, wage),
    });
    const { digest, position } = await this.reader.read(events[0] as DeliveredEvent);
    return { position, body: { hire, settlement: 'delivered', digest, evidence: hireEvidence(hire) } };
  }
}
