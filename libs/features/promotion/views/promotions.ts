import { JobClosed, JobUpdated, SeatFreed } from '#libs/features/jobs/domain/job.js';
import { PostDeleted } from '#libs/features/feed/domain/post.js';
import { Promoted } from '#libs/features/promotion/domain/promotion.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import * as d from '#libs/views/document-schema.js';
import { onExisting, on, defineProjection } from '#libs/views/projection.js';

export const PromotionDocument = d.object({
  item: d.item,
  role: d.orNull(d.slug),
  /** From when to when, unix ms; what is paid again while it lasts begins no new one. */
  begun_at: d.time,
  until: d.time,
  /** When the post was deleted, or the role closed. */
  ended_at: d.orNull(d.time),
  /** Where the log began it: the order of turns. */
  opened: d.position,
});
export type PromotionDocument = d.DocumentOf<typeof PromotionDocument>;

const byRole = ({ data }: { readonly data: { readonly role: string } }) => [`role/${data.role}`];
const reopened = (
  promotion: PromotionDocument,
  { data }: { readonly data: { readonly reopens: boolean } },
): PromotionDocument => (data.reopens ? { ...promotion, ended_at: null } : promotion);

/** What is promoted, and from when to when. Whose turn it is is joined by the query. */
export const Promotions = defineProjection<typeof PromotionDocument>({
  name: 'promotions',
  version: 1,
  shape: 'b71b1d8b',
  document: PromotionDocument,
  indexes: { byEnd: ['until'] },
  steps: [
    on(
      Promoted,
      ({ data: { post, role } }) => [role === null ? `post/${post}` : `role/${role}`],
      (before, { data: { item, role, until }, at, position }) =>
        before && at < before.until
          ? { ...before, until }
          : { item, role, begun_at: at, until, ended_at: null, opened: position },
    ),
    onExisting(
      PostDeleted,
      ({ data }) => [`post/${data.post}`],
      (promotion, { at }) => ({ ...promotion, ended_at: at }),
    ),
    onExisting(JobClosed, byRole, (promotion, { at }) => ({ ...promotion, ended_at: at })),
    onExisting(JobUpdated, byRole, reopened),
    onExisting(SeatFreed, byRole, reopened),
  ],
});

export const minuteOf = (now: number) => Math.floor(now / MINUTE_MS);

/**
 * What is promoted in a minute, first the one whose turn it is. Those that stood when the minute began take turns, each
 * minute another one, so that nothing that comes or goes within the minute changes whose turn it is; what begins within
 * the minute stands behind them.
 */
export function rotationIn(minute: number, promotions: readonly PromotionDocument[]): PromotionDocument[] {
  const start = minute * MINUTE_MS;
  const inOrder = [...promotions].sort((one, other) => (one.opened < other.opened ? -1 : 1));
  const standing = inOrder.filter(
    ({ begun_at, until, ended_at }) => begun_at <= start && start < until && (ended_at === null || ended_at > start),
  );
  const news = inOrder.filter(({ begun_at }) => begun_at > start && begun_at < start + MINUTE_MS);
  const turn = standing.length === 0 ? 0 : minute % standing.length;
  return [...standing.slice(turn), ...standing.slice(0, turn), ...news];
}
