import { Applied } from '#libs/features/jobs/domain/application.js';
import { JobClosed, JobOffered, Withdrawn } from '#libs/features/jobs/domain/job.js';
import { applicationKey, Applications } from './applications.js';
import { loadPrivateParts } from './private-parts.js';
import { Roles } from './roles.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { notifyOn, notifyPoster, type NotificationTexts } from '#libs/views/notifications.js';

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

export async function loadTitle(models: ReadModels, role: unknown) {
  return { title: (await models.of(Roles).get(String(role)))?.body.title ?? null };
}

export const JOB_TEXTS: NotificationTexts = {
  application: async ({ role, from }, { models, journal }) => {
    const application = { role: String(role), muse_id: String(from) };
    const [title, document, parts] = await Promise.all([
      loadTitle(models, role),
      models.of(Applications).get(applicationKey(application.role, application.muse_id)),
      loadPrivateParts(journal, { ...application, status: 'applied' }),
    ]);
    return { ...title, note: document?.body.note ?? null, ...parts };
  },
  withdrawn: ({ role }, { models }) => loadTitle(models, role),
  job_expired: ({ role }, { models }) => loadTitle(models, role),
  job_alert: async ({ role }, { models }) => {
    const body = (await models.of(Roles).get(String(role)))?.body;
    return { title: body?.title ?? null, skills: [...(body?.skills ?? [])] };
  },
};
