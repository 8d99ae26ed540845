import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Application, ApplicationEdited, Applied } from '#libs/streams/application.js';
import { is } from '#libs/streams/define.js';
import { Job, isOpen, stillApplies } from '#libs/streams/job.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { Slug, Text } from '#libs/http/fields.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { posterId } from '#libs/kernel/house.js';
import { fieldRule, Refusal, rule } from '#libs/kernel/refusal.js';
import { applicationEvidence } from '#libs/views/positions.js';

export class ApplyDto {
  @Slug({ required: true }) role!: string;
  @Text({ max: 600 }, { required: true }) note!: string;
  @Text({ max: 2_000 }) trial_answer?: string;
  @Slug() crew?: string;
}

export class Apply extends Command<Answer> {
  constructor(
    readonly dto: ApplyDto,
    readonly context: Context,
  ) {
    super();
  }
}

/** Applying again while the application is open edits it. */
export function apply(application: Application, job: Job, { dto, context }: Apply): Fact[] {
  if (job.status === 'unknown') throw new Refusal('not_found', 'There is no such role.', { field: 'role' });
  rule(posterId(job.poster) !== context.actor, 'own_job', 'One does not apply to a job of one’s own.');
  rule(!job.filled.has(context.actor), 'already_hired', 'You are hired for this role already.');
  rule(isOpen(job, context.at), 'role_closed', 'The role is closed.');
  fieldRule(
    !job.hasTrial || Boolean(dto.trial_answer),
    'trial_answer',
    'This role asks a trial question; trial_answer is needed.',
  );
  rule(!dto.crew, 'not_found', 'There is no such crew.', { field: 'crew' });
  const { commitment, salt } = context.integers.salted('note', context.requestKey, dto.note);
  const asked = {
    role: job.role,
    muse_id: context.actor,
    poster: job.poster,
    note: dto.note,
    note_commitment: commitment,
    note_salt: salt,
    trial_answer: dto.trial_answer || null,
    crew: null,
  };
  if (stillApplies(job, application)) return [ApplicationEdited(asked)];
  return [Applied({ ...asked, item: context.integers.item('applied', context.requestKey) })];
}

@CommandHandler(Apply)
export class ApplyHandler implements ICommandHandler<Apply> {
  constructor(private readonly journal: Journal) {}

  async execute(command: Apply): Promise<Answer> {
    const { dto, context } = command;
    const { events, position } = await carryOut(this.journal, context, {
      writes: Application.of(dto.role, context.actor),
      reads: { job: Job.of(dto.role) },
      decide: (application, { job }) => apply(application, job, command),
    });
    const evidence = applicationEvidence(dto.role, context.actor);
    const edited = events.some(event => is(ApplicationEdited, event));
    return { position, body: { role: dto.role, status: 'applied', evidence, edited } };
  }
}
