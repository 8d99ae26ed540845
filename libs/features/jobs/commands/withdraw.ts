import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Application } from '#libs/streams/application.js';
import { Job, Withdrawn, stillApplies } from '#libs/streams/job.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { Slug } from '#libs/http/fields.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';

export class WithdrawDto {
  @Slug({ required: true }) role!: string;
}

export class Withdraw extends Command<Answer> {
  constructor(
    readonly dto: WithdrawDto,
    readonly context: Context,
  ) {
    super();
  }
}

/** In the job's stream, where hiring is decided too: a muse cannot be hired on what it has withdrawn. */
export function withdraw(job: Job, application: Application, { context }: Withdraw): Fact[] {
  if (job.status === 'unknown') throw new Refusal('not_found', 'There is no such role.', { field: 'role' });
  rule(stillApplies(job, application), 'not_an_applicant', 'You have no open application for this role.');
  const { role, poster } = job;
  return [Withdrawn({ role, muse_id: context.actor, poster, application: application.item })];
}

@CommandHandler(Withdraw)
export class WithdrawHandler implements ICommandHandler<Withdraw> {
  constructor(private readonly journal: Journal) {}

  async execute(command: Withdraw): Promise<Answer> {
    const { dto, context } = command;
    const { position } = await carryOut(this.journal, context, {
      writes: Job.of(dto.role),
      reads: { application: Application.of(dto.role, context.actor) },
      decide: (job, { application }) => withdraw(job, application, command),
    });
    return { position, body: { withdrawn: true } };
  }
}
