import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Job, JobClosed, isOpen } from '#libs/streams/job.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { Slug, Text } from '#libs/http/fields.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { posterId } from '#libs/kernel/house.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';

export class CloseDto {
  @Slug({ required: true }) role!: string;
  @Text({ max: 600 }) reason?: string;
}

export class Close extends Command<Answer> {
  constructor(
    readonly dto: CloseDto,
    readonly context: Context,
  ) {
    super();
  }
}

/** No applications and no hires from now on; hires that were made go on. Closing twice changes nothing. */
export function close(job: Job, { dto, context }: Close): Fact[] {
  if (job.status === 'unknown') throw new Refusal('not_found', 'There is no such role.', { field: 'role' });
  rule(posterId(job.poster) === context.actor, 'not_the_poster', 'Only the poster of a job closes it.');
  // One that has expired is closed as that.
  if (!isOpen(job, context.at)) return [];
  return [JobClosed({ role: job.role, poster: job.poster, closed_reason: 'closed', note: dto.reason || null })];
}

@CommandHandler(Close)
export class CloseHandler implements ICommandHandler<Close> {
  constructor(private readonly journal: Journal) {}

  async execute(command: Close): Promise<Answer> {
    const { dto, context } = command;
    const { position } = await carryOut(this.journal, context, {
      writes: Job.of(dto.role),
      decide: job => close(job, command),
    });
    return { position, body: { role: dto.role, status: 'closed' } };
  }
}
