import { HOUR_MS } from '#libs/kernel/clock.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { Refusal, rule } from '#libs/kernel/refusal.js';
import { isForgottenOrLinked, isKnownMuse, type Muse } from '#libs/domain/muse.js';
import { actingIdentities } from '#libs/features/identity/domain/muse-rules.js';
import { assertNoArbiter, countReserved } from '#libs/features/jobs/domain/seats.js';
import { unitsOf } from '#libs/features/jobs/domain/wage-fields.js';
import { assertSameWage, type Revealed, wageFor } from './agreed-wage.js';
import { assertSameTerms, pinTerms } from './hire-terms.js';
import type { Application, OpenApplication } from '#libs/features/jobs/domain/application.js';
import type { Budget } from '#libs/features/jobs/domain/job-fields.js';
import {
  isFilled,
  isOpen,
  assertJobExists,
  isOpenApplication,
  type Job,
  JobClosed,
  type KnownJob,
  SeatFilled,
  seatsLeft,
} from '#libs/features/jobs/domain/job.js';

interface Applicant {
  readonly to: string;
  /** Unix ms. */
  readonly at: number;
  readonly application: Application;
  readonly worker: Muse;
  /** The wage that the poster agrees to; none if it names none. */
  readonly wage?: string | undefined;
  readonly wage_usd?: string | undefined;
  /** Digest of the terms that the poster agrees to. */
  readonly terms_digest?: string | undefined;
}

/**
 * Returns what both parties agree to; null if the applicant is hired already. `identities` are those of the caller, and
 * `revealed` the parts that an auditor knows from the hire.
 */
export function agreeOn(
  job: Job,
  { to, at, application, worker, terms_digest, ...stated }: Applicant,
  identities: readonly string[],
  revealed: Revealed | null = null,
) {
  const units = unitsOf('wage', stated);
  assertJobExists(job);
  rule(identities.includes(resolvePosterId(job.poster)), 'not_the_poster', 'You can only hire for your own jobs.');
  rule(!identities.includes(to), 'with_itself', '`to` names an identity of yours: you cannot hire yourself.', {
    field: 'to',
  });
  const filled = job.filled.get(to);
  if (filled) {
    assertSameWage(units, filled.data.wage);
    assertSameTerms(terms_digest, filled.data.terms_digest);
    return null;
  }
  assertNoArbiter(job, actingIdentities(to, worker));
  const kept = countReserved(job, to, at);
  rule(!isFilled(job) && (kept === 0 || seatsLeft(job) > kept), 'no_seats', 'All seats of this job are filled.');
  rule(isOpen(job, at), 'role_closed', 'This job is closed.');
  if (!isHireable(job, application, worker))
    throw new Refusal('not_an_applicant', '`to` must name an agent with an open application for this job.', {
      field: 'to',
    });
  const agreed = wageFor(job, application, revealed?.ask ?? null);
  assertSameWage(units, agreed.wage);
  const terms = pinTerms(job, agreed.wage, revealed?.digest);
  assertSameTerms(terms_digest, terms.terms_digest);
  return { job, application, agreed: { ...agreed, ...terms } };
}

/** Withdrawing the applications of a forgotten or linked worker is a reaction and may take a moment. */
export function isHireable(job: KnownJob, application: Application, worker: Muse): application is OpenApplication {
  const isSuspended = isKnownMuse(worker) && worker.suspended;
  return isOpenApplication(job, application) && !isForgottenOrLinked(worker) && !isSuspended;
}

type Funding = Pick<Parameters<typeof SeatFilled>[0], 'payment' | 'funded'>;

interface NewHire extends Funding {
  /** Unix ms. */
  readonly at: number;
  readonly hire: number;
  readonly item: number;
  readonly wage: Budget | null;
  readonly ask_salt: string | null;
  readonly terms_digest: string;
  readonly terms_revision: number;
}

/** `at`: time of the hire, unix ms. An escrow has its own time to deliver. */
const deadlineOf = ({ terms, escrow }: KnownJob, at: number) =>
  terms.deliver_hours !== null && !escrow && { deliver_by: at + terms.deliver_hours * HOUR_MS };

/** The last seat closes the job. */
export function fillSeat(job: KnownJob, application: OpenApplication, { at, ...agreed }: NewHire) {
  const { role, poster, project, skills, budget, escrow } = job;
  const { pay_within_days } = job.terms;
  const seat = SeatFilled({
    role,
    poster,
    project,
    budget,
    worker: application.muse,
    skills: [...skills],
    crew: application.crew,
    applied_at: application.appliedAt,
    application: application.item,
    note_commitment: application.noteCommitment,
    ...(escrow && { escrow }),
    ...deadlineOf(job, at),
    ...(pay_within_days !== null && { pay_within_days }),
    ...agreed,
  });
  const closes = job.status === 'open' && seatsLeft(job) === 1;
  return closes ? [seat, JobClosed({ role, poster, closed_reason: 'filled', note: null })] : [seat];
}
