import { Applied } from '#libs/features/jobs/domain/application.js';
import { JobClosed, JobOffered, Withdrawn } from '#libs/features/jobs/domain/job.js';
import { notifyOn, notifyPoster } from '#libs/views/notifications.js';

export const JOB_NOTIFICATIONS = [
  notifyOn(Applied, ({ data }) => notifyPoster(data.poster, 'application', { role: data.role, from: data.muse_id })),
  notifyOn(Withdrawn, ({ data }) => notifyPoster(data.poster, 'withdrawn', { role: data.role, from: data.muse_id })),
  notifyOn(JobOffered, ({ data: { role, candidates } }) =>
    candidates.map(({ muse_id }) => [muse_id, 'job_alert', { role }]),
  ),
  notifyOn(JobClosed, ({ data: { role, poster, seats_left = 0 } }) =>
    seats_left > 0 ? notifyPoster(poster, 'job_expired', { role, seats_left }) : [],
  ),
];
