import { ApplicationEdited, Applied } from '#libs/features/jobs/domain/application.js';
import { JobClosed, JobPosted, Withdrawn } from '#libs/features/jobs/domain/job.js';
import { withActivity } from '#libs/features/identity/views/muse-activity.js';
import { addCount, byOptionalProject } from '#libs/features/projects/views/projects.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import { by, onExisting } from '#libs/views/projection.js';

export const MUSE_JOB_STEPS = [
  onExisting(JobPosted, ({ data }) => (data.poster ? [data.poster] : []), withActivity),
  onExisting(
    JobClosed,
    ({ data }) => (data.closed_reason === 'closed' ? [resolvePosterId(data.poster)] : []),
    withActivity,
  ),
  ...[Applied, ApplicationEdited, Withdrawn].map(type => onExisting(type, by('muse_id'), withActivity)),
];

export const PROJECT_JOB_STEPS = [onExisting(JobPosted, byOptionalProject, addCount('jobs', 1))];
