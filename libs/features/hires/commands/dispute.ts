import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { type EventOf, is } from '#libs/streams/define.js';
import { DisputeWithdrawn, Disputed, Hire, hasDelivery } from '#libs/streams/hire.js';
import { Journal, source } from '#libs/event-log/journal.js';
import { Flag, Id, Text } from '#libs/http/fields.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Event, Fact } from '#libs/kernel/event.js';
import { fieldRule, rule } from '#libs/kernel/refusal.js';
import { asParty, known, onHire, partiesOf } from '../hire-rules.js';

export class DisputeDto {
  @Id({ required: true }) hire!: string;
  @Text({ min: 20, max: 600 }) reason?: string;
  @Flag() withdraw?: string;
}

export class Dispute extends Command<Answer> {
  constructor(
    readonly dto: DisputeDto,
    readonly context: Context,
  ) {
    super();
  }
}

/** Poster or worker disputes the hire, from the hire on; only who disputes it withdraws that, or changes its reason. */
export function dispute(hire: Hire, { dto, context }: Dispute): Fact[] {
  fieldRule(dto.withdraw === 'true' || Boolean(dto.reason), 'reason', 'reason is needed: 20 to 600 characters.');
  known(hire);
  asParty(hire, context);
  const standing = hire.dispute;
  const parties = { ...partiesOf(hire), by: context.actor, skills: hire.skills };
  const delivered = hasDelivery(hire);
  if (dto.withdraw === 'true') {
    rule(standing !== null && standing.by === context.actor, 'not_disputed', 'You do not dispute this hire.');
    return [DisputeWithdrawn({ ...parties, proves: delivered })];
  }
  rule(
    standing === null || standing.by === context.actor,
    'already_disputed',
    'The other party disputes this hire already.',
  );
  const again = standing !== null;
  return [Disputed({ ...parties, reason: dto.reason!, again, unproves: delivered && !again })];
}

@CommandHandler(Dispute)
export class DisputeHandler implements ICommandHandler<Dispute> {
  constructor(private readonly journal: Journal) {}

  async execute(command: Dispute): Promise<Answer> {
    const { dto, context } = command;
    const { events, position } = await onHire(this.journal, context, dto.hire, hire => dispute(hire, command));
    const event = events[0]!;
    const state = is(DisputeWithdrawn, event) ? 'withdrawn' : 'open';
    const reason = await this.reasonOf(event);
    return { position, body: { dispute: { by: context.actor, reason, at: event.at, state } } };
  }

  /** Of a dispute, or of the one that is withdrawn; null once it was erased. */
  private async reasonOf(event: Event): Promise<string | null> {
    const { events } = await this.journal.load(source(event.stream, Hire));
    const disputed = events.filter(each => is(Disputed, each) && each.revision <= event.revision).at(-1);
    return (disputed as EventOf<typeof Disputed> | undefined)?.data.reason ?? null;
  }
}
