import { Applied } from '#libs/features/jobs/domain/application.js';
import { JobPosted } from '#libs/features/jobs/domain/job.js';
import { dayOf } from '#libs/kernel/clock.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

export const DailyApplicationsDocument = d.object({
  /** Days since 1970-01-01 UTC. */
  day: d.integer,
  role: d.slug,
  /** Zero on the day of posting without applications. */
  applications: d.integer,
});
export type DailyApplicationsDocument = d.DocumentOf<typeof DailyApplicationsDocument>;

export const dailyApplicationsKey = (day: number, role: string) => `${day}/${role}`;

type RoleEvent = { readonly at: number; readonly data: { readonly role: string } };
const keys = ({ at, data }: RoleEvent) => [dailyApplicationsKey(dayOf(at), data.role)];
const add =
  (more: number) =>
  (document: DailyApplicationsDocument | undefined, { at, data: { role } }: RoleEvent) => ({
    day: dayOf(at),
    role,
    applications: (document?.applications ?? 0) + more,
  });

export const DailyApplications = defineProjection<typeof DailyApplicationsDocument>({
  name: 'daily_applications',
  version: 1,
  shape: 'd72c0e57',
  document: DailyApplicationsDocument,
  idsBegin: 'day/',
  indexes: { byDay: ['day', 'applications'] },
  steps: [on(JobPosted, keys, add(0)), on(Applied, keys, add(1))],
});
