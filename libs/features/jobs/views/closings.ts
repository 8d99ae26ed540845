import { JobClosed, JobUpdated, SeatFreed } from '#libs/features/jobs/domain/job.js';
import type { EventOf } from '#libs/domain/define.js';
import * as d from '#libs/views/document-schema.js';
import { by, on, defineProjection, removeOn } from '#libs/views/projection.js';

export const ClosingDocument = d.object({ role: d.slug, event: d.text, at: d.time, since: d.position });
export type ClosingDocument = d.DocumentOf<typeof ClosingDocument>;

const byRole = by('role');
const byReopened = ({ data }: { readonly data: { readonly role: string; readonly reopens: boolean } }) =>
  data.reopens ? [data.role] : [];

/** Applicants were notified of the first close. */
const byFirstClose = (event: EventOf<typeof JobClosed>) => (event.data.again ? [] : byRole(event));

export const Closings = defineProjection('closings', ClosingDocument, {
  shape: '7564ad68',
  indexes: { bySince: ['since'] },
  steps: [
    on(JobClosed, byFirstClose, (_document, { id: event, data: { role }, at, position }) => ({
      role,
      event,
      at,
      since: position,
    })),
    removeOn(JobUpdated, byReopened),
    removeOn(SeatFreed, byReopened),
  ],
});
