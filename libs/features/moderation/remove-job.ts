import { Refusal, rule } from '#libs/kernel/refusal.js';
import { isOpen, Job, JobClosed } from '#libs/features/jobs/domain/job.js';
import { serviceDecision } from '#libs/endpoints/decision.js';

/**
 * Closes an open role. Roles of the house are refused: they would reopen at the next read of the file that lists them.
 */
export function closeRemoved(job: Job, at: number) {
  if (job.status === 'unknown') throw new Refusal('not_found', 'There is no such role. Check the slug.');
  rule(job.poster !== null, 'not_the_poster', 'A role of the house is closed in the file that lists it.');
  if (!isOpen(job, at)) return [];
  return [JobClosed({ role: job.role, poster: job.poster, closed_reason: 'removed', note: null })];
}

export const removeJob = serviceDecision('remove-job', {
  by: 'operator',
  writes: [JobClosed],
  decide: ({ own, event }) => closeRemoved(own(Job), event.at),
});
