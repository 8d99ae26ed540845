import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Accepted, type DeliveredHire, type Hire } from '#libs/streams/hire.js';
import { Journal } from '#libs/event-log/journal.js';
import { Digest, Flag, Id, Text } from '#libs/http/fields.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { asPoster, known, onHire, partiesOf, sameDelivery, withDelivery } from '../hire-rules.js';

export class AcceptDto {
  @Id({ required: true }) hire!: string;
  @Text({ max: 600 }) note?: string;
  @Flag() positive?: string;
  @Digest() digest?: string;
}

export class Accept extends Command<Answer> {
  constructor(
    readonly dto: AcceptDto,
    readonly context: Context,
  ) {
    super();
  }
}

/** The poster accepts what was delivered; accepting again replaces the note, and the verdict where it names one. */
export function accept(hire: Hire, { dto, context }: Accept): Fact[] {
  known(hire);
  asPoster(hire, context);
  withDelivery(hire);
  sameDelivery(hire, dto.digest);
  const was_positive = hire.acceptance?.positive ?? null;
  const positive = dto.positive ? dto.positive === 'true' : (was_positive ?? true);
  return [Accepted({ ...partiesOf(hire), by: context.actor, note: dto.note || null, positive, was_positive })];
}

@CommandHandler(Accept)
export class AcceptHandler implements ICommandHandler<Accept> {
  constructor(private readonly journal: Journal) {}

  async execute(command: Accept): Promise<Answer> {
    const { dto, context } = command;
    const { state, position } = await onHire(this.journal, context, dto.hire, hire => accept(hire, command));
    const { at, by, note } = (state as DeliveredHire).acceptance!;
    return { position, body: { acceptance: { at, by, note } } };
  }
}
