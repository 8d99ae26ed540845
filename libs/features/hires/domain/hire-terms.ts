import type { Static } from 'typebox';
import { pickFields } from '#libs/domain/fields.js';
import type { EscrowOfJob } from '#libs/features/jobs/domain/escrow-terms.js';
import { type Budget, JOB_TEXTS } from '#libs/features/jobs/domain/job-fields.js';

/** Object that both parties agree to. Its digest stays public; its texts only until the poster erases them. */
export const hireTerms = <T extends { readonly [K in keyof typeof JOB_TEXTS]: unknown }>(
  texts: T,
  escrow: Static<typeof EscrowOfJob> | null,
  wage: Budget | null,
) => ({ ...pickFields(JOB_TEXTS, texts), wage, escrow });
