import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Hire } from '#libs/domain/hire.js';
import { Delivered } from '#libs/events/hire.js';
import { hireStream } from '#libs/events/streams.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal, source } from '#libs/event-log/journal.js';
import { Id, Text } from '#libs/http/fields.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { fieldRule, Refusal, rule } from '#libs/kernel/refusal.js';
import { SafeFetch } from '#libs/safe-fetch/safe-fetch.js';
import { hireEvidence } from '#libs/views/positions.js';
import { type DeliveredEvent, DeliveryReader } from '../delivery-reader.js';

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

/** A delivery may be repeated until it is paid; every version stays on the record. */
export function deliver(hire: Hire, { dto, context }: Deliver): Fact[] {
  if (hire.status === 'unknown') throw new Refusal('not_found', 'There is no such hire.', { field: 'hire' });
  rule(hire.worker === context.actor, 'not_the_worker', 'Only the worker of a hire delivers.');
  rule(hire.status !== 'paid', 'already_paid', 'The hire is paid; what was delivered stands.');
  const { hire: id, role, poster, worker } = hire;
  const delivery = hire.status === 'delivered' ? hire.delivery.delivery + 1 : 1;
  return [Delivered({ hire: id, role, poster, worker, delivery, url: dto.url, post: null, note: dto.note || null })];
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
    const { events } = await carryOut(this.journal, context, {
      writes: source(hireStream(Number(dto.hire)), Hire),
      decide: hire => deliver(hire, command),
    });
    const { digest, position } = await this.reader.read(events[0] as DeliveredEvent);
    const hire = Number(dto.hire);
    return { position, body: { hire, settlement: 'delivered', digest, evidence: hireEvidence(hire) } };
  }
}
