import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Application } from '#libs/streams/application.js';
import { is } from '#libs/streams/define.js';
import { Hire as HireEntity } from '#libs/streams/hire.js';
import { Job, JobClosed, type Seat, SeatFilled, isOpen, seatsLeft, stillApplies } from '#libs/streams/job.js';
import { carryOut } from '#libs/event-log/carry-out.js';
import { Journal } from '#libs/event-log/journal.js';
import { MuseId, Slug } from '#libs/http/fields.js';
import type { Answer } from '#libs/kernel/answer.js';
import type { Context } from '#libs/kernel/decide.js';
import type { Fact } from '#libs/kernel/event.js';
import { IdTaken, withFreeId } from '#libs/kernel/ids.js';
import { posterId } from '#libs/kernel/house.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { hiredDocument } from '#libs/views/hires.js';
import { hiredPosition, hireEvidence } from '#libs/views/positions.js';
import { CompleteHire } from '../complete-hire.js';

export class HireDto {
  @Slug({ required: true }) role!: string;
  @MuseId({ required: true }) to!: string;
}

export class Hire extends Command<Answer> {
  constructor(
    readonly dto: HireDto,
    readonly context: Context,
  ) {
    super();
  }
}

export interface HireStates {
  readonly job: Job;
  readonly application: Application;
  /** What stands under the hire's derived id: nothing, where it is free. */
  readonly taken: HireEntity;
}

/** A seat for an applicant; the last one closes the role. Hiring somebody twice changes nothing. */
export function hire({ job, application, taken }: HireStates, { dto, context }: Hire, id: number): Fact[] {
  if (job.status === 'unknown') throw new Refusal('not_found', 'There is no such role.', { field: 'role' });
  rule(posterId(job.poster) === context.actor, 'not_the_poster', 'Only the poster of a job hires for it.');
  if (job.filled.has(dto.to)) return [];
  rule(seatsLeft(job) > 0, 'no_seats', 'Every seat of the role is taken.');
  rule(isOpen(job, context.at), 'role_closed', 'The role is closed.');
  if (!stillApplies(job, application))
    throw new Refusal('not_an_applicant', 'Only an applicant can be hired.', { field: 'to' });
  if (taken.status !== 'unknown') throw new IdTaken();
  const { role, poster, project, skills, budget } = job;
  const seat = SeatFilled({
    ...{ role, poster, project, budget, hire: id, worker: dto.to },
    item: context.integers.item('hired', context.requestKey),
    skills: [...skills],
    crew: application.crew,
    applied_at: application.appliedAt,
    application: application.item,
    note_commitment: application.noteCommitment,
  });
  return seatsLeft(job) === 1 ? [seat, JobClosed({ role, poster, closed_reason: 'filled', note: null })] : [seat];
}

@CommandHandler(Hire)
export class HireHandler implements ICommandHandler<Hire> {
  constructor(
    private readonly journal: Journal,
    private readonly completeHire: CompleteHire,
  ) {}

  async execute(command: Hire): Promise<Answer> {
    const { dto, context } = command;
    const { state, events } = await withFreeId(counter =>
      this.fill(command, context.integers.id('hire', context.requestKey, counter)),
    );
    const job = state as Extract<Job, { filled: unknown }>;
    // The seat of a request that comes again may be free by now.
    const seat = events.find(event => is(SeatFilled, event)) ?? job.filled.get(dto.to);
    const hired = await this.completeHire.of(seat as Seat);
    const document = hiredDocument(hired);
    const position = hiredPosition(document, job.title);
    return { position: hired.position, body: { hire: document.hire, evidence: hireEvidence(document.hire), position } };
  }

  private fill(command: Hire, id: number) {
    const { dto, context } = command;
    return carryOut(this.journal, context, {
      writes: Job.of(dto.role),
      reads: {
        application: Application.of(dto.role, dto.to),
        taken: HireEntity.of(id),
      },
      decide: (job, reads) => hire({ job, ...reads }, command, id),
    });
  }
}
