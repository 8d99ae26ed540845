import { Injectable } from '@nestjs/common';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import { executeCommand } from '#libs/event-log/execute-command.js';
import { Journal } from '#libs/event-log/journal.js';
import { CompleteHire, DigestReader } from '#libs/features/hires/public.js';
import { consequenceContext, type DecisionContext, type StreamSource, withIds } from '#libs/kernel/decide.js';
import type { Event, Fact, Position } from '#libs/kernel/event.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { Integers } from '#libs/kernel/ids.js';
import { isEventOf } from '#libs/domain/define.js';
import { Delivered, Hire } from '#libs/features/hires/domain/hire.js';
import { type AnsweredTask, Instant, InstantTaskAnswered } from './domain/instant.js';
import { roleOfTask } from '#libs/features/jobs/domain/instant-names.js';
import { Job, SeatFilled } from '#libs/features/jobs/domain/job.js';
import { formatDecidedBy, type Decision } from '#libs/endpoints/decision.js';
import {
  acceptAnswer,
  acceptTaskAnswer,
  deliverTaskAnswer,
  deliverAnswer,
  fillTaskRole,
  fillTaskRoleAtOnce,
} from './passed-rules.js';

const BY_HOUSE = {
  actor: SYSTEM_ACCOUNT_ID,
  authorization: { mode: 'service', reason: 'an instant task was passed' },
} as const;

/**
 * Derives from a right answer: a role that is opened and filled at once, a hire, a delivery and its acceptance. The
 * command, a repeated request and the reaction write the same events.
 */
@Injectable()
export class PassedTasks implements Reaction {
  readonly name = 'passed_tasks';
  readonly types = [InstantTaskAnswered.type];

  constructor(
    private readonly journal: Journal,
    private readonly integers: Integers,
    private readonly completeHire: CompleteHire,
    private readonly reader: DigestReader,
  ) {}

  async react(event: Event): Promise<void> {
    if (isEventOf(InstantTaskAnswered, event) && event.data.passed) await this.complete(event);
  }

  /** Returns the position of the last event. */
  async complete(answered: AnsweredTask): Promise<Position> {
    const { muse_id, task: id, hire } = answered.data;
    const { state } = await this.journal.load(Instant.source(muse_id));
    const task = state.tasks.get(id)!;
    const role = Job.source(roleOfTask(id));
    const seats = await this.write(answered, fillTaskRole, role, (job, { ids }) => fillTaskRoleAtOnce(job, task, ids));
    const seat = seats.find(event => isEventOf(SeatFilled, event));
    // Another task had the same number.
    if (!seat || !isEventOf(SeatFilled, seat)) return answered.position;
    const hiredAt = await this.completeHire.complete(seat);
    const hireSource = Hire.source(hire!);
    const [delivered] = await this.write(answered, deliverAnswer, hireSource, hire => deliverTaskAnswer(hire, task));
    if (!delivered || !isEventOf(Delivered, delivered)) return hiredAt;
    const { position } = await this.reader.read(delivered);
    const [accepted] = await this.write(answered, acceptAnswer, hireSource, acceptTaskAnswer);
    return accepted?.position ?? position;
  }

  /** The delivery carries the authorization of the muse's answer; everything else is done by the house. */
  private async write<S>(
    answered: AnsweredTask,
    decision: Decision,
    writes: StreamSource<S>,
    decide: (state: S, context: DecisionContext) => Fact[],
  ): Promise<readonly Event[]> {
    const envelope = {
      ...consequenceContext(answered, formatDecidedBy(decision)),
      ...(decision !== deliverAnswer && BY_HOUSE),
    };
    const context = withIds(envelope, this.integers);
    const { events } = await executeCommand(this.journal, context, { writes, decide: state => decide(state, context) });
    return events;
  }
}
