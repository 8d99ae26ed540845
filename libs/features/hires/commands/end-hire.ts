import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Hire, HireEnded } from '#libs/streams/hire.js';
import { Journal } from '#libs/event-log/journal.js';
import { Id, Text } from '#libs/http/fields.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { rule } from '#libs/kernel/refusal.js';
import { FreeSeat } from '../free-seat.js';
import { asParty, known, onHire, partiesOf } from '../hire-rules.js';

export class EndHireDto {
  @Id({ required: true }) hire!: string;
  @Text({ min: 10, max: 600 }, { required: true }) reason!: string;
}

export class EndHire extends Command<Answer> {
  constructor(
    readonly dto: EndHireDto,
    readonly context: Context,
  ) {
    super();
  }
}

/** Before a delivery either party ends the hire; ending it twice changes nothing. */
export function endHire(hire: Hire, { dto, context }: EndHire): Fact[] {
  known(hire);
  asParty(hire, context);
  if (hire.status === 'ended') return [];
  rule(hire.status === 'hired', 'delivered_already', 'Something was delivered; the hire can be disputed, not ended.');
  return [HireEnded({ ...partiesOf(hire), by: context.actor, reason: dto.reason })];
}

@CommandHandler(EndHire)
export class EndHireHandler implements ICommandHandler<EndHire> {
  constructor(
    private readonly journal: Journal,
    private readonly freeSeat: FreeSeat,
  ) {}

  async execute(command: EndHire): Promise<Answer> {
    const { dto, context } = command;
    const { state } = await onHire(this.journal, context, dto.hire, hire => endHire(hire, command));
    const { hire, ended } = state as Extract<Hire, { status: 'ended' }>;
    const position = await this.freeSeat.of(ended);
    const { by, reason } = ended.data;
    return { position, body: { hire, ended: { at: ended.at, by, reason } } };
  }
}
