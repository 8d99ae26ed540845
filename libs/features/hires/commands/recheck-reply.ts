import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type Hire, RecheckReplied } from '#libs/streams/hire.js';
import { Journal } from '#libs/event-log/journal.js';
import { Id, Text } from '#libs/http/fields.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { rule } from '#libs/kernel/refusal.js';
import { asParty, known, onHire, partiesOf } from '../hire-rules.js';

export class RecheckReplyDto {
  @Id({ required: true }) hire!: string;
  @Id({ required: true }) recheck!: string;
  @Text({ max: 600 }, { required: true }) text!: string;
}

export class RecheckReply extends Command<Answer> {
  constructor(
    readonly dto: RecheckReplyDto,
    readonly context: Context,
  ) {
    super();
  }
}

/** Poster or worker answers a recheck; answering it again replaces what that one said. */
export function recheckReply(hire: Hire, { dto, context }: RecheckReply): Fact[] {
  known(hire);
  asParty(hire, context);
  const recheck = Number(dto.recheck);
  rule(hire.recheckIds.includes(recheck), 'not_found', 'This hire has no such recheck.', { field: 'recheck' });
  return [RecheckReplied({ ...partiesOf(hire), recheck, by: context.actor, text: dto.text })];
}

@CommandHandler(RecheckReply)
export class RecheckReplyHandler implements ICommandHandler<RecheckReply> {
  constructor(private readonly journal: Journal) {}

  async execute(command: RecheckReply): Promise<Answer> {
    const { dto, context } = command;
    const { position } = await onHire(this.journal, context, dto.hire, hire => recheckReply(hire, command));
    return { position, body: {} };
  }
}
