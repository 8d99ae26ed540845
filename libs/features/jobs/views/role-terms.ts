import { documentFields, erasedFields, pickFields } from '#libs/domain/fields.js';
import { EscrowOfJob, escrowOfJob } from '#libs/features/jobs/domain/escrow-terms.js';
import { JOB_TEXTS } from '#libs/features/jobs/domain/job-fields.js';
import { JobPosted, JobUpdated } from '#libs/features/jobs/domain/job.js';
import * as d from '#libs/views/document-schema.js';
import { defineProjection, on } from '#libs/views/projection.js';

/** One version of the terms of a job, which hires refer to. */
export const RoleTermsDocument = d.object({
  role: d.slug,
  poster: d.orNull(d.museId),
  ...documentFields(JOB_TEXTS),
  escrow: d.orNull(d.stored(EscrowOfJob)),
});
export type RoleTermsDocument = d.DocumentOf<typeof RoleTermsDocument>;

/** `revision` of the event that holds the terms. */
export const roleTermsKey = (role: string, revision: number) => `${role}/${revision}`;

interface TermsEvent {
  readonly revision: number;
  readonly data: { readonly role: string };
}
const byVersion = ({ revision, data }: TermsEvent) => [roleTermsKey(data.role, revision)];

export const RoleTerms = defineProjection('role_terms', RoleTermsDocument, {
  shape: '04310d62',
  indexes: { byPoster: ['poster?'] },
  forgets: { by: ['byPoster'], erase: terms => ({ ...terms, ...erasedFields(JOB_TEXTS) }) },
  steps: [
    on(JobPosted, byVersion, (_terms, { data }) => {
      const { role, poster, escrow } = data;
      return { role, poster, ...pickFields(JOB_TEXTS, data), escrow: escrow ? escrowOfJob(escrow) : null };
    }),
    // Only the house changes its jobs, and it has no escrow.
    on(JobUpdated, byVersion, (_terms, { data }) => {
      return { role: data.role, poster: null, ...pickFields(JOB_TEXTS, data), escrow: null };
    }),
  ],
});
