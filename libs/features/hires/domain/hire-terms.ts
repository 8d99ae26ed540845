import type { Static } from 'typebox';
import type { EscrowOfJob } from '#libs/features/jobs/domain/escrow-terms.js';
import type { Budget } from '#libs/features/jobs/domain/job-fields.js';
import type { JobTerms } from '#libs/features/jobs/domain/job.js';

/** The needed texts are null once erased. */
type TermsOfJob<X extends string | null> = Pick<JobTerms, 'terms' | 'trial' | 'deliver_hours' | 'pay_within_days'> & {
  readonly [K in 'title' | 'summary' | 'done']: X;
} & { readonly skills: readonly string[] };

/** Object that both parties agree to. Its digest stays public; its texts only until the poster erases them. */
export const hireTerms = <X extends string | null>(
  { title, summary, done, terms, trial, skills, deliver_hours, pay_within_days }: TermsOfJob<X>,
  escrow: Static<typeof EscrowOfJob> | null,
  wage: Budget | null,
) => ({ title, summary, done, terms, trial, skills, wage, deliver_hours, pay_within_days, escrow });
