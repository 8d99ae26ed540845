import { Applied } from '#libs/features/jobs/domain/application.js';
import { dayOf } from '#libs/kernel/clock.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

const DailyApplicationsDocument = d.object({
  /** Days since 1970-01-01 UTC. */
  day: d.integer,
  role: d.slug,
  applications: d.integer,
});

export const dailyApplicationsKey = (day: number, role: string) => `${day}/${role}`;

export const DailyApplications = defineProjection('daily_applications', DailyApplicationsDocument, {
  shape: 'd72c0e57',
  idsBegin: 'day/',
  indexes: { byDay: ['day', 'applications'] },
  steps: [
    on(
      Applied,
      ({ at, data }) => [dailyApplicationsKey(dayOf(at), data.role)],
      (document, { at, data: { role } }) => ({
        day: dayOf(at),
        role,
        applications: (document?.applications ?? 0) + 1,
      }),
    ),
  ],
});
