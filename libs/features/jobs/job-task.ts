import type { ReadModels } from '#libs/documents/read-models.js';
import { fetchPage } from '#libs/http/paging.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { applicationView } from '#libs/features/hires/views/positions.js';
import { type RoleDocument, roleView, Roles } from '#libs/features/jobs/views/roles.js';
import { loadDeliveries } from './role-deliveries.js';
import { HIRES_MAX, hireStatus, taskStatus, withSeatsFreed } from './task-status.js';

/** Maximum open applications that are shown, oldest first. */
export const APPLICATIONS_MAX = 20;

/** Undefined if the caller has not posted such a job. */
export async function findOwnRole(models: ReadModels, actor: string, slug: string) {
  const role = await models.of(Roles).get(slug);
  return role?.body.poster === actor ? role : undefined;
}

/** `now` is unix ms. */
export async function jobTask(models: ReadModels, role: RoleDocument, now: number) {
  const [page, hireDocuments] = await Promise.all([
    fetchPage(models.of(Applications), {
      range: { index: 'byRole', equals: [role.slug], order: 'asc', limit: APPLICATIONS_MAX },
      fields: ['opened'],
      cursor: ['after', undefined],
      keep: ({ status }) => status === 'applied',
    }),
    models.of(Hires).find({ index: 'byRole', equals: [role.slug], order: 'desc', limit: HIRES_MAX }),
  ]);
  const applications = page.documents.map(({ body }) => body);
  const hires = hireDocuments.map(({ body }) => body);
  const times = [...applications, ...hires].map(({ updated_at }) => updated_at);
  const record = roleView(withSeatsFreed(role, hires), now);
  return {
    role: record,
    status: taskStatus(role, hires, applications.length, now),
    applications: applications.map(applicationView),
    hires: hires.map(hire => ({
      hire: hire.hire,
      worker: hire.worker,
      status: hire.ended === null ? hireStatus(hire) : ('ended' as const),
    })),
    deliveries: await loadDeliveries(models, hires),
    updated_at: Math.max(record.created_at, record.closed_at ?? 0, ...times),
  };
}
