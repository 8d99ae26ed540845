import { Refusal, rule } from '#libs/kernel/refusal.js';
import { isOpen, Job, JobClosed } from '#libs/features/jobs/domain/job.js';
import { serviceDecision } from '#libs/endpoints/decision.js';

/**
 * What its poster may do as well, but for what the poster sees of it; nothing where it is closed already. A role of the
 * house is closed by the house: as removed it would open again with the next look at the file that names it.
 */
export function closeRemoved(job: Job, at: number) {
  if (job.status === 'unknown') throw new Refusal('not_found', 'There is no such role.');
  rule(job.poster !== null, 'not_the_poster', 'A role of the house is closed by the house.');
  // One that has expired is closed as that.
  if (!isOpen(job, at)) return [];
  return [JobClosed({ role: job.role, poster: job.poster, closed_reason: 'removed', note: null })];
}

export const removeJob = serviceDecision('remove-job', {
  by: 'operator',
  writes: [JobClosed],
  decide: ({ own, event }) => closeRemoved(own(Job), event.at),
});
