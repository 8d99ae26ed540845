import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Claims } from '#libs/claims/claims.js';
import { Delivered, type Hire } from '#libs/streams/hire.js';
import { Journal } from '#libs/event-log/journal.js';
import { Id, Text } from '#libs/http/fields.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { fieldRule, rule } from '#libs/kernel/refusal.js';
import { PENDING_RETRY_SECONDS } from '#libs/payments/answers.js';
import { SafeFetch } from '#libs/safe-fetch/safe-fetch.js';
import { hireEvidence } from '#libs/views/positions.js';
import { type DeliveredEvent, DeliveryReader } from '../delivery-reader.js';
import { asWorker, known, onHire, partiesOf, wageThing } from '../hire-rules.js';

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

/** A delivery may be repeated until it is accepted or paid; every version stays on the record. */
export function deliver(hire: Hire, { dto, context }: Deliver): Fact[] {
  known(hire);
  asWorker(hire, context);
  rule(hire.status !== 'ended', 'hire_ended', 'The hire was ended.');
  rule(hire.status !== 'paid', 'already_paid', 'The hire is paid; what was delivered stands.');
  rule(hire.status === 'hired' || !hire.acceptance, 'already_accepted', 'The delivery was accepted; it stands.');
  const first = hire.status === 'hired';
  const delivery = first ? 1 : hire.delivery.delivery + 1;
  const what = { url: dto.url, post: null, note: dto.note || null };
  return [Delivered({ ...partiesOf(hire), delivery, ...what, skills: hire.skills, proves: first && !hire.dispute })];
}

@CommandHandler(Deliver)
export class DeliverHandler implements ICommandHandler<Deliver> {
  constructor(
    private readonly journal: Journal,
    private readonly claims: Claims,
    private readonly reader: DeliveryReader,
    private readonly safeFetch: SafeFetch,
  ) {}

  async execute(command: Deliver): Promise<Answer> {
    const { dto, context } = command;
    const fault = this.safeFetch.checkUrl(dto.url);
    fieldRule(fault === null, 'url', `url cannot be read by the service: ${fault}.`);
    const unpaid = () => this.refuseWhilePaid(Number(dto.hire));
    const { events } = await onHire(this.journal, context, dto.hire, hire => deliver(hire, command), unpaid);
    const { digest, position } = await this.reader.read(events[0] as DeliveredEvent);
    const hire = Number(dto.hire);
    return { position, body: { hire, settlement: 'delivered', digest, evidence: hireEvidence(hire) } };
  }

  /** What the poster pays for is what was delivered when it began to. */
  private async refuseWhilePaid(hire: number): Promise<void> {
    rule(
      (await this.claims.standing(wageThing(hire))) === null,
      'settlement_pending',
      'The latest delivery is being paid for; look again when that has ended.',
      { retryAfter: PENDING_RETRY_SECONDS, retryable: true },
    );
  }
}
