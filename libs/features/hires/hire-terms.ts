import { escrowOfJob } from '#libs/features/jobs/domain/escrow-terms.js';
import type { Budget } from '#libs/features/jobs/domain/job-fields.js';
import type { KnownJob } from '#libs/features/jobs/domain/job.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { rule } from '#libs/kernel/refusal.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { hireTerms } from './domain/hire-terms.js';

const digestOf = ({ terms, escrow }: KnownJob, wage: Budget | null): string =>
  sha256Hex(canonicalJson(hireTerms(terms, escrow ? escrowOfJob(escrow) : null, wage)));

/** `revealed`: the digest as an event has it, for an auditor of erased texts. */
export const pinTerms = (job: KnownJob, wage: Budget | null, revealed: string | null = null) => ({
  terms_digest: revealed !== null && job.title === null ? revealed : digestOf(job, wage),
  terms_revision: job.termsRevision ?? 0,
});

/** `sent`: the digest of the terms that the poster agrees to. */
export function assertSameTerms(sent: string | undefined, digest: string | undefined): void {
  const sentence = '`terms_digest` is not the digest of the terms of this hire. Read the job again.';
  rule(sent === undefined || sent === digest, 'terms_changed', sentence, { field: 'terms_digest' });
}
