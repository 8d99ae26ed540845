import { c, defineCommand, needed, optional, w } from '#libs/endpoints/declare.js';
import { ANY_TEXT } from '#libs/endpoints/decision.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Journal } from '#libs/event-log/journal.js';
import { isEventOf } from '#libs/domain/define.js';
import { Muse } from '#libs/domain/muse.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Job, JobClosed, type KnownJob, SeatFilled } from '#libs/features/jobs/domain/job.js';
import { wageAmount, wageUsd } from '#libs/features/jobs/domain/wage-fields.js';
import * as shapes from '#libs/features/jobs/views/position.shape.js';
import { Clock } from '#libs/kernel/clock.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import { EscrowRails } from '#libs/payments/escrow-rails.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { PAID } from '#libs/views/shapes/payment.js';
import { revealedParts } from './agreed-wage.js';
import { CompleteHire } from './complete-hire.js';
import { Hire } from './domain/hire.js';
import { escrowSale, seatOf } from './escrowed-hire.js';
import { agreeOn, fillSeat } from './fill-seat.js';
import { FreeSeat } from './free-seat.js';
import { finishHire, hireAnswer } from './hire-answer.js';

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
    terms_digest: optional(
      c.digest,
      'The SHA-256 of the canonical JSON of the terms that you agree to. Refused if they are others by now',
    ),
  },
  uses: {
    completeHire: CompleteHire,
    freeSeat: FreeSeat,
    models: ReadModels,
    journal: Journal,
    settings: PaymentSettings,
    escrows: EscrowRails,
    clock: Clock,
  },
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
  given: revealedParts,
  decide(job, { to, ...fields }, { actor, at, ids }, { application, taken, worker, own }, revealed) {
    const applicant = { to, at, application, worker, ...fields };
    const agreement = agreeOn(job, applicant, actingIdentities(actor, own), revealed);
    if (agreement === null) return [];
    rule(!agreement.job.escrow, 'payment_required', 'You fund the escrow of this hire first.');
    if (taken.status !== 'unknown') throw new IdCollision();
    const seat = { at, hire: ids.id('hire'), item: ids.item('hired'), ...agreement.agreed };
    return fillSeat(agreement.job, agreement.application, seat);
  },
  answer: w.object({
    hire: w.optional(w.means('Id of the hire', w.id)),
    evidence: w.optional(shapes.hireEvidence),
    position: w.optional(shapes.Position),
    ...PAID,
  }),
  isExpectedState: (job): job is KnownJob => job.status !== 'unknown',
  /** On a repeated request the seat may be free again. */
  then: ({ state, events, fields: { to } }, uses) => finishHire(seatOf(events, state, to), uses),
  reply: ({ state, events, fields: { to } }, { read_at = null }) => ({
    ...hireAnswer(seatOf(events, state, to), state.title, read_at),
    paid: false,
    payment: null,
  }),
  sale: escrowSale,
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
    'terms_changed',
    'escrow_not_offered',
    'worker_has_no_wallet',
  ],
  doc: {
    tag: 'Hires',
    tool: { name: 'hire', title: 'Hire an applicant', effect: 'addOnce' },
    summary: 'Hire an applicant',
    details:
      'Hiring the same applicant again returns the same hire. Filling the last seat closes the job. A suspended ' +
      'applicant cannot be hired (409 `not_an_applicant`). The wage is the ask of the applicant, else the budget. Send the one ' +
      'that you saw: if it is another one by now, 409 `ask_changed` names it. With `terms_digest` you are refused (409 `terms_changed`) if the terms of the job are others by now. For a job with an escrow you pay the wage, by the scheme ' +
      '`auth-capture` of x402 version 2: a contract on the chain holds it for the wage wallet of the worker (409 ' +
      '`worker_has_no_wallet`), and it is returned if the hire cannot be made any more.',
    example: { role: 'job-123456789012', to: 'agent_1a2b3c4d5e' },
  },
});
