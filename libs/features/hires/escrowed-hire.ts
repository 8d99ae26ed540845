import { HiddenValueRefusal, requireVisible } from '#libs/endpoints/decision.js';
import { onAccepted, onSettled } from '#libs/endpoints/paid-action.js';
import type { Journal } from '#libs/event-log/journal.js';
import { isEventOf } from '#libs/domain/define.js';
import { Muse } from '#libs/domain/muse.js';
import { payeeOf } from '#libs/features/identity/public.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { Application } from '#libs/features/jobs/domain/application.js';
import {
  Job,
  JobClosed,
  type KnownJob,
  type Seat,
  SeatFilled,
  SeatReserved,
  seatsLeft,
} from '#libs/features/jobs/domain/job.js';
import { countReserved } from '#libs/features/jobs/domain/seats.js';
import type { Budget } from '#libs/features/jobs/domain/job-fields.js';
import { type Clock, DAY_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { Event } from '#libs/kernel/event.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import type { EscrowVersion } from '#libs/kernel/escrow-version.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { EscrowRails } from '#libs/payments/escrow-rails.js';
import type { PaymentSettings } from '#libs/payments/payment.settings.js';
import type { PaymentAcceptedEvent, Price, SettledPaymentState } from '#libs/payments/purchase.js';
import { toAmount } from '#libs/features/jobs/domain/wage-fields.js';
import { Hire } from './domain/hire.js';
import { agreeOn, fillSeat, isHireable } from './fill-seat.js';
import { findReadAt, hireAnswer } from './hire-answer.js';
import { pinTerms } from './hire-terms.js';
import type { CompleteHire } from './complete-hire.js';
import type { ReadModels } from '#libs/documents/read-models.js';

/** Days that the money is held beyond work and reviews. */
const MARGIN_DAYS = 10;
/** The review, its repetition for a replacement, and a dispute. */
const REVIEWS = 3;
/** Time from the end of an authorization until its payment has ended. */
const SETTLING_MS = 10 * MINUTE_MS;

interface HireFields {
  readonly role: string;
  readonly to: string;
  readonly wage?: string;
  readonly wage_usd?: string;
  readonly terms_digest?: string;
}

interface Dependencies {
  readonly journal: Journal;
  readonly settings: PaymentSettings;
  readonly escrows: EscrowRails;
  readonly clock: Clock;
  readonly completeHire: CompleteHire;
  readonly models: ReadModels;
}

type EscrowedJob = KnownJob & { readonly budget: Budget } & Required<Pick<KnownJob, 'escrow'>>;

const isEscrowed = (job: Job): job is EscrowedJob =>
  job.status !== 'unknown' && job.escrow !== undefined && job.budget !== null;

interface Offer {
  readonly job: EscrowedJob;
  readonly wage: Budget;
  readonly payTo: string;
  /** Unix ms. */
  readonly at: number;
}

function escrowPrice({ job, wage, payTo, at }: Offer, { settings, escrows }: Dependencies): Price {
  const { escrow, title, role } = job;
  const { version, work_days, review_days } = escrow;
  const sentence = 'This service does not use the escrow with which the job was posted any more.';
  rule(escrows.versionOn(wage.rail) === version, 'escrow_not_offered', sentence);
  const days = work_days + REVIEWS * review_days + MARGIN_DAYS;
  return {
    path: '/api/hire',
    description: `The wage for ${title === null ? role : `“${title}”`}: ${wage.usd} ${wage.token}, held in escrow`,
    amount: BigInt(wage.amount),
    payTo,
    rails: settings.rails.filter(({ name }) => name === wage.rail),
    escrow: { version, captureDeadline: Math.floor((at + days * DAY_MS) / SECOND_MS) },
  };
}

const fieldsOf = ({ data }: PaymentAcceptedEvent) => requireVisible(data.fields) as unknown as HireFields;

const applicantOf = ({ data }: PaymentAcceptedEvent) => ({
  application: data.fields ? Application.source(data.fields['role']!, data.fields['to']!) : undefined,
  worker: data.fields ? Muse.source(data.fields['to']!) : undefined,
});

interface ApplicantStates {
  readonly application: Application;
  readonly worker: Muse;
}

/** Keeps the seat until the payment must have ended. Nothing if the hire can no longer be made. */
const reserveSeat = onAccepted('hire-begin', {
  events: [SeatReserved],
  writes: accepted => Job.source(fieldsOf(accepted).role),
  reads: applicantOf,
  decide(job, accepted, _context, reads) {
    const { to } = fieldsOf(accepted);
    const { application, worker } = reads as unknown as ApplicantStates;
    const { payment, subject, valid_before, amount } = accepted.data;
    if (!isEscrowed(job) || job.status !== 'open' || job.filled.has(to)) return [];
    if (!isHireable(job, application, worker) || seatsLeft(job) <= countReserved(job, to, accepted.at)) return [];
    const { hire } = requireVisible(subject) as { readonly hire: number };
    const { role, poster, budget } = job;
    const wage = { ...budget, ...toAmount(BigInt(amount)) };
    const until = Number(valid_before) * SECOND_MS + SETTLING_MS;
    return [SeatReserved({ role, hire, poster, worker: to, payment, wage, until })];
  },
});

/** Fills the seat, unless the worker, its application or the job is gone: then the money is returned. */
const fundHire = onSettled('hire-effect', {
  events: [SeatFilled, JobClosed],
  writes: ({ accepted }) => Job.source(fieldsOf(accepted).role),
  reads: ({ accepted }) => applicantOf(accepted),
  decide(job, { accepted, tx, block }, { at, ids }, reads) {
    const { to } = fieldsOf(accepted);
    const { application, worker } = reads as unknown as ApplicantStates;
    const { payment, escrow } = accepted.data;
    if (!isEscrowed(job) || !escrow || job.filled.has(to) || seatsLeft(job) < 1) return [];
    const reserved = job.reserved?.get(to);
    const isOpen = job.status === 'open' || job.reason === 'expired';
    if (reserved?.payment !== payment || !isOpen || !isHireable(job, application, worker)) return [];
    const { hire, wage } = reserved;
    const ask = application.askCommitment === null ? null : requireVisible(application.ask);
    // The worker has changed or cleared its ask since.
    if ((ask ?? job.budget).amount !== wage.amount) return [];
    // Erased texts have no digest.
    requireVisible(job.title);
    const agreed = { wage, ask_salt: ask && ask.salt, ...pinTerms(job, wage) };
    const { contract, operator, payment_hash, capture_deadline } = escrow;
    const deadline = capture_deadline * SECOND_MS;
    const terms = { rail: wage.rail, escrow: contract, operator, payment_hash, capture_deadline: deadline };
    return fillSeat(job, application, {
      at,
      hire,
      item: ids.item('hired'),
      ...agreed,
      payment,
      funded: { ...terms, tx, block },
    });
  },
});

interface Outcome {
  readonly events: readonly Event[];
  readonly state: Job;
  readonly payment: SettledPaymentState;
}

/** On a repeated request, the seat is in the state. */
export const seatOf = (events: readonly Event[], job: Job, to: string): Seat =>
  events.find(event => isEventOf(SeatFilled, event)) ?? (job as KnownJob).filled.get(to)!;

/** A job without an escrow is free: only the state tells. */
export const escrowSale = {
  payee: 'applicant' as const,
  isFree: () => undefined,
  pricedBy: ['role', 'to'],
  sample: {
    request: { role: 'job-123456789012', to: 'agent_1a2b3c4d5e' },
    answer: { ok: true, hire: 123456789012, paid: true },
  },
  priceOfEffect(data: object) {
    const { wage = null } = data as { readonly wage?: Budget | null };
    return wage && { amount: BigInt(wage.amount), rail: wage.rail };
  },
  /** Null if the offer would reveal a payout address. */
  async price({ role, to }: Partial<HireFields>, uses: Dependencies) {
    const { state: job } = await uses.journal.load(Job.source(role!));
    if (!isEscrowed(job) || job.filled.has(to!)) return null;
    const { state: application } = await uses.journal.load(Application.source(role!, to!));
    const { verified } = await payeeOf(uses.journal, to!);
    // An ask is private.
    if (verified === null || application.status === 'none' || application.askCommitment !== null) return null;
    return escrowPrice({ job, wage: job.budget, payTo: verified, at: uses.clock.now() }, uses);
  },
  async purchase({ role, to, ...fields }: HireFields, { actor, at, ids }: CommandContext, uses: Dependencies) {
    const { journal } = uses;
    const { state: job } = await journal.load(Job.source(role));
    if (!isEscrowed(job)) return null;
    const { state: own } = await journal.load(Muse.source(actor));
    const { state: application } = await journal.load(Application.source(role, to));
    const { state: worker } = await journal.load(Muse.source(to));
    const agreement = agreeOn(job, { to, at, application, worker, ...fields }, actingIdentities(actor, own));
    if (agreement === null) return null;
    const hire = ids.id('hire');
    if ((await journal.load(Hire.source(hire))).state.status !== 'unknown') throw new IdCollision();
    const { payTo } = await payeeOf(journal, to);
    if (payTo === null)
      throw new HiddenValueRefusal(
        'worker_has_no_wallet',
        'The applicant has no verified wallet and no payout address.',
      );
    return {
      ...escrowPrice({ job, wage: agreement.agreed.wage!, payTo, at }, uses),
      things: [{ kind: 'purchase' as const, value: `hire/${role}/${to}` }],
      owner: Muse.streamName(actor),
      subject: { hire, version: job.escrow.version },
    };
  },
  subjectOf: () => ({}),
  usesFrom: ({ version }: JsonObject) => ({ escrows: { versionOn: () => version as EscrowVersion } }),
  requires: 'fields' as const,
  begin: reserveSeat,
  effect: fundHire,
  then: async ({ events, state, payment }: Outcome, { completeHire }: Dependencies) => ({
    position: await completeHire.complete(seatOf(events, state, fieldsOf(payment.accepted).to)),
  }),
  async reply({ events, state }: Outcome, { to }: HireFields, { models }: Dependencies) {
    const seat = seatOf(events, state, to);
    return hireAnswer(seat, state.status === 'unknown' ? null : state.title, await findReadAt(seat, models));
  },
};
