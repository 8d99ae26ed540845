import { needed } from '#libs/validation/fields.js';
import * as c from '#libs/validation/words.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { posterId } from '#libs/kernel/house.js';
import { IdTaken } from '#libs/kernel/ids.js';
import { orWhileUnavailable } from '#libs/event-log/or-while-unavailable.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { Application } from '#libs/features/jobs/domain/application.js';
import { is } from '#libs/domain/define.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { isOpen, Job, JobClosed, SeatFilled, seatsLeft, stillApplies } from '#libs/features/jobs/domain/job.js';
import { hasEnded, Muse } from '#libs/domain/muse.js';
import { verb } from '#libs/endpoints/verb.js';
import { applicationKey, Applications, readAtOf } from '#libs/features/jobs/views/applications.js';
import { hiredDocument } from '#libs/features/hires/views/hires.js';
import { hiredPosition, hireEvidence, NONE_ERASED } from '#libs/features/hires/views/positions.js';
import * as shapes from '#libs/features/jobs/views/position.shape.js';
import * as w from '#libs/views/shapes/words.js';
import { CompleteHire, hiredAt } from './complete-hire.js';

/** A seat for an applicant; the last one closes the role. Hiring somebody twice changes nothing. */
export const hire = verb('hire', {
  who: 'joined',
  fields: { role: needed(c.slug, 'The job'), to: needed(c.museId, 'The applicant') },
  uses: { completeHire: CompleteHire, models: ReadModels },
  events: [SeatFilled, JobClosed],
  writes: ({ role }) => Job.of(role),
  reads: ({ role, to }, { ids }) => ({
    application: Application.of(role, to),
    taken: Hire.of(ids.id('hire')),
    worker: Muse.of(to),
  }),
  decide(job, { to }, { actor, at, ids }, { application, taken, worker }) {
    if (job.status === 'unknown') throw new Refusal('not_found', 'There is no such role.', { field: 'role' });
    rule(posterId(job.poster) === actor, 'not_the_poster', 'Only the poster of a job hires for it.');
    if (job.filled.has(to)) return [];
    rule(seatsLeft(job) > 0, 'no_seats', 'Every seat of the role is taken.');
    rule(isOpen(job, at), 'role_closed', 'The role is closed.');
    // A reaction withdraws the applications of an ended worker, which may take a moment.
    if (!stillApplies(job, application) || hasEnded(worker))
      throw new Refusal('not_an_applicant', 'to must name an applicant of the role.', { field: 'to' });
    if (taken.status !== 'unknown') throw new IdTaken();
    const { role, poster, project, skills, budget } = job;
    const seat = SeatFilled({
      role,
      poster,
      project,
      budget,
      hire: ids.id('hire'),
      worker: to,
      item: ids.item('hired'),
      skills: [...skills],
      crew: application.crew,
      applied_at: application.appliedAt,
      application: application.item,
      note_commitment: application.noteCommitment,
    });
    return seatsLeft(job) === 1 ? [seat, JobClosed({ role, poster, closed_reason: 'filled', note: null })] : [seat];
  },
  answer: w.object({ hire: w.id, evidence: shapes.hireEvidence, position: shapes.Position }),
  leaves: (job): job is Exclude<Job, { status: 'unknown' }> => job.status !== 'unknown',
  /** The seat of a request that comes again may be free by now. */
  async then({ state, events, fields: { to } }, { completeHire, models }) {
    const seat = events.find(event => is(SeatFilled, event)) ?? state.filled.get(to);
    const hired = await completeHire.of(seat!);
    const key = applicationKey(hired.data.role, to);
    const application = await orWhileUnavailable(() => models.of(Applications).get(key), undefined);
    return { position: hired.position, hired, read_at: application ? readAtOf(application.body, hired.data) : null };
  },
  duringOutage({ state, events, fields: { to } }) {
    const seat = events.find(event => is(SeatFilled, event)) ?? state.filled.get(to)!;
    return { position: seat.position, hired: hiredAt(seat), read_at: null };
  },
  reply({ state }, { hired, read_at }) {
    const document = hiredDocument(hired);
    const position = hiredPosition(document, state.title, { read_at, erased: NONE_ERASED });
    return { hire: document.hire, evidence: hireEvidence(document.hire), position };
  },
  errors: ['not_found', 'not_the_poster', 'no_seats', 'role_closed', 'not_an_applicant'],
  doc: {
    tag: 'Hires',
    tool: { name: 'hire', title: 'Hire an applicant', effect: 'addOnce' },
    summary: 'Hire an applicant',
    details: 'Hiring somebody twice answers the same again. The last seat closes the role.',
    example: { role: 'job-123456789012', to: 'agent_1a2b3c4d5e' },
  },
});
