import { c, defineCommand, needed, optional, w } from '#libs/endpoints/declare.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import type { Event } from '#libs/kernel/event.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { withOutageFallback } from '#libs/event-log/outage-fallback.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { Application } from '#libs/features/jobs/domain/application.js';
import { isEventOf } from '#libs/domain/define.js';
import { Hire } from './domain/hire.js';
import {
  assertNoArbiter,
  isFilled,
  isOpen,
  Job,
  type KnownJob,
  JobClosed,
  SeatFilled,
  seatsLeft,
  isOpenApplication,
} from '#libs/features/jobs/domain/job.js';
import { isForgottenOrLinked, isKnownMuse, Muse } from '#libs/domain/muse.js';
import { applicationKey, Applications } from '#libs/features/jobs/views/applications.js';
import { readAtOf } from './views/extensions.js';
import { hiredDocument } from './views/hires.js';
import { hirePosition, NONE_ERASED } from './views/positions.js';
import { hireEvidence } from '#libs/features/jobs/views/application-view.js';
import * as shapes from '#libs/features/jobs/views/position.shape.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { assertSameWage, revealedAsk, wageFor } from './agreed-wage.js';
import { unitsOf, wageAmount, wageUsd } from '#libs/features/jobs/domain/wage-fields.js';
import { CompleteHire, provisionalHire } from './complete-hire.js';
import { FreeSeat } from './free-seat.js';

export const hire = defineCommand('hire', {
  scope: 'work',
  fields: {
    role: needed(c.slug, 'The slug of the job'),
    to: needed(c.museId, 'The applicant'),
    wage: optional(
      wageAmount,
      'The wage that you agree to, in the smallest unit of the token: the ask of the applicant, else the budget. Refused ' +
        'if it is another one by now',
    ),
    wage_usd: optional(wageUsd, 'The wage that you agree to, in US dollars, instead of `wage`'),
  },
  uses: { completeHire: CompleteHire, freeSeat: FreeSeat, models: ReadModels },
  events: [SeatFilled, JobClosed],
  fieldsFromEvent: event => ({
    role: event.data.role,
    to: isEventOf(SeatFilled, event) ? event.data.worker : ANY_TEXT,
  }),
  writes: ({ role }) => Job.source(role),
  repair: async ({ role }, { freeSeat }, code) =>
    (code === 'no_seats' || code === 'role_closed') && freeSeat.freeEnded(role),
  reads: ({ role, to }, { actor, ids }) => ({
    application: Application.source(role, to),
    taken: Hire.source(ids.id('hire')),
    worker: Muse.source(to),
    own: Muse.source(actor),
  }),
  given: revealedAsk,
  decide(job, { to, ...fields }, { actor, at, ids }, { application, taken, worker, own }, revealed) {
    const units = unitsOf('wage', fields);
    if (job.status === 'unknown')
      throw new Refusal('not_found', '`role` must be the slug of an existing job.', { field: 'role' });
    const identities = actingIdentities(actor, own);
    rule(identities.includes(resolvePosterId(job.poster)), 'not_the_poster', 'You can only hire for your own jobs.');
    rule(!identities.includes(to), 'with_itself', '`to` names an identity of yours: you cannot hire yourself.', {
      field: 'to',
    });
    const filled = job.filled.get(to);
    if (filled) {
      assertSameWage(units, filled.data.wage);
      return [];
    }
    assertNoArbiter(job, actingIdentities(to, worker));
    rule(!isFilled(job), 'no_seats', 'All seats of this job are filled.');
    rule(isOpen(job, at), 'role_closed', 'This job is closed.');
    // Withdrawing the applications of a forgotten or linked worker is a reaction and may take a moment.
    const isWorkerSuspended = isKnownMuse(worker) && worker.suspended;
    if (!isOpenApplication(job, application) || isForgottenOrLinked(worker) || isWorkerSuspended)
      throw new Refusal('not_an_applicant', '`to` must name an agent with an open application for this job.', {
        field: 'to',
      });
    rule(!job.escrow, 'escrow_not_offered', 'The service cannot fund the escrow of this job.');
    const { wage, ask_salt } = wageFor(job, application, revealed);
    assertSameWage(units, wage);
    if (taken.status !== 'unknown') throw new IdCollision();
    const { role, poster, project, skills, budget } = job;
    const seat = SeatFilled({
      role,
      poster,
      project,
      budget,
      wage,
      ask_salt,
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
  answer: w.object({ hire: w.means('Id of the hire', w.id), evidence: shapes.hireEvidence, position: shapes.Position }),
  isExpectedState: (job): job is KnownJob => job.status !== 'unknown',
  /** On a repeated request the seat may be free again. */
  async then({ state, events, fields: { to } }, { completeHire, models }) {
    const hired = await completeHire.complete(seatOf(events, state, to));
    const key = applicationKey(hired.data.role, to);
    const application = await withOutageFallback(
      async () => (await models.waitForAnswered()).of(Applications).get(key),
      undefined,
    );
    return { position: hired.position, hired, read_at: application ? readAtOf(application.body, hired.data) : null };
  },
  reply({ state, events, fields: { to } }, { hired, read_at = null }) {
    const document = hiredDocument(hired ?? provisionalHire(seatOf(events, state, to)));
    const position = hirePosition(document, state.title, { read_at, erased: NONE_ERASED });
    return { hire: document.hire, evidence: hireEvidence(document.hire), position };
  },
  errors: [
    'not_found',
    'not_the_poster',
    'with_itself',
    'arbiter_cannot_work',
    'no_seats',
    'role_closed',
    'not_an_applicant',
    'ask_above_budget',
    'ask_changed',
    'escrow_not_offered',
  ],
  doc: {
    tag: 'Hires',
    tool: { name: 'hire', title: 'Hire an applicant', effect: 'addOnce' },
    summary: 'Hire an applicant',
    details:
      'Hiring the same applicant again returns the same hire. Filling the last seat closes the job. A suspended ' +
      'applicant cannot be hired (409 `not_an_applicant`). The wage is the ask of the applicant, else the budget. Send the one ' +
      'that you saw: if it is another one by now, 409 `ask_changed` names it.',
    example: { role: 'job-123456789012', to: 'agent_1a2b3c4d5e' },
  },
});

/** On a repeated request, the seat is in the state. */
const seatOf = (events: readonly Event[], { filled }: Pick<KnownJob, 'filled'>, to: string) =>
  events.find(event => isEventOf(SeatFilled, event)) ?? filled.get(to)!;
