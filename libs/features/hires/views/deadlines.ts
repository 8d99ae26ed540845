import { deadlineEnd, reminderTime } from '#libs/features/hires/domain/deadline.js';
import {
  Accepted,
  Delivered,
  DeliveryDue,
  DeliveryRead,
  Hired,
  HireEnded,
  WageStarted,
} from '#libs/features/hires/domain/hire.js';
import * as d from '#libs/views/document-schema.js';
import { by, defineProjection, on, onExisting, removeOn } from '#libs/views/projection.js';

/** A hire whose deadline is not met yet. */
export const DeadlineDocument = d.object({
  hire: d.id,
  hired_at: d.time,
  deliver_by: d.time,
  delivered_at: d.orNull(d.time),
  reminded: d.flag,
  /** When the service has to act next. */
  next: d.time,
});
export type DeadlineDocument = d.DocumentOf<typeof DeadlineDocument>;

const byHire = by('hire');

function withNext(deadline: Omit<DeadlineDocument, 'next'>): DeadlineDocument {
  const { hired_at, deliver_by, delivered_at, reminded } = deadline;
  const isReminded = reminded || delivered_at !== null;
  return { ...deadline, next: isReminded ? deadlineEnd(deadline) : reminderTime(hired_at, deliver_by) };
}

export const Deadlines = defineProjection('deadlines', DeadlineDocument, {
  shape: '811a34ef',
  indexes: { byNext: ['next'] },
  steps: [
    on(
      Hired,
      event => (event.data.deliver_by === undefined ? [] : byHire(event)),
      (_deadline, { data: { hire, deliver_by }, at }) =>
        withNext({ hire, hired_at: at, deliver_by: deliver_by!, delivered_at: null, reminded: false }),
    ),
    onExisting(Delivered, byHire, (deadline, { at }) =>
      at < deadline.deliver_by ? withNext({ ...deadline, delivered_at: at }) : deadline,
    ),
    onExisting(DeliveryDue, byHire, deadline => withNext({ ...deadline, reminded: true })),
    removeOn<DeadlineDocument, typeof DeliveryRead>(DeliveryRead, event =>
      event.data.digest === null ? [] : byHire(event),
    ),
    removeOn<DeadlineDocument, typeof Accepted>(Accepted, byHire),
    removeOn<DeadlineDocument, typeof WageStarted>(WageStarted, byHire),
    removeOn<DeadlineDocument, typeof HireEnded>(HireEnded, byHire),
  ],
});
