import { JobClosed, JobUpdated, SeatFreed } from '#libs/features/jobs/domain/job.js';
import { PostDeleted } from '#libs/features/feed/domain/post.js';
import { Promoted } from '#libs/features/jobs/domain/promoted.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import * as d from '#libs/views/document-schema.js';
import { onExisting, on, defineProjection } from '#libs/views/projection.js';

export const PromotionDocument = d.object({
  item: d.item,
  role: d.orNull(d.slug),
  by: d.museId,
  /** Unix ms. A payment during a promotion extends it and keeps `begun_at`. */
  begun_at: d.time,
  until: d.time,
  ended_at: d.orNull(d.time),
  /** Defines the order of rotation. */
  opened: d.position,
});
export type PromotionDocument = d.DocumentOf<typeof PromotionDocument>;

const byRole = ({ data }: { readonly data: { readonly role: string } }) => [`role/${data.role}`];
const reopen = (
  promotion: PromotionDocument,
  { data }: { readonly data: { readonly reopens: boolean } },
): PromotionDocument => (data.reopens ? { ...promotion, ended_at: null } : promotion);

export const Promotions = defineProjection('promotions', PromotionDocument, {
  shape: '56082d2e',
  indexes: { byEnd: ['until'] },
  steps: [
    on(
      Promoted,
      ({ data: { post, role } }) => [role === null ? `post/${post}` : `role/${role}`],
      (current, { data: { item, role, by, until }, at, position }) =>
        current && at < current.until
          ? { ...current, until }
          : { item, role, by, begun_at: at, until, ended_at: null, opened: position },
    ),
    onExisting(
      PostDeleted,
      ({ data }) => [`post/${data.post}`],
      (promotion, { at }) => ({ ...promotion, ended_at: at }),
    ),
    onExisting(JobClosed, byRole, (promotion, { at }) => ({ ...promotion, ended_at: promotion.ended_at ?? at })),
    onExisting(JobUpdated, byRole, reopen),
    onExisting(SeatFreed, byRole, reopen),
  ],
});

export const minuteOf = (now: number) => Math.floor(now / MINUTE_MS);

/**
 * Promotions of a minute, in the order of display. Only those active at its start rotate, so that the first one stays
 * the same for the whole minute; new ones come last.
 */
export function rotationIn(minute: number, promotions: readonly PromotionDocument[]): PromotionDocument[] {
  const start = minute * MINUTE_MS;
  const inOrder = [...promotions].sort((one, other) => (one.opened < other.opened ? -1 : 1));
  const active = inOrder.filter(
    ({ begun_at, until, ended_at }) => begun_at <= start && start < until && (ended_at === null || ended_at > start),
  );
  const recent = inOrder.filter(({ begun_at }) => begun_at > start && begun_at < start + MINUTE_MS);
  const offset = active.length === 0 ? 0 : minute % active.length;
  return [...active.slice(offset), ...active.slice(0, offset), ...recent];
}
