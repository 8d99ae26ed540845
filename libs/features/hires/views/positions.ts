import { NO_TERM, type PayState } from './pay-states.js';
import type { CheckCounts } from '#libs/features/hires/domain/check-counts.js';
import { applicationEvidence, hireEvidence } from '#libs/features/jobs/views/application-view.js';
import type { ApplicationDocument } from '#libs/features/jobs/views/applications.js';
import { type AreLinked, NONE_LINKED } from '#libs/features/identity/views/linked-pairs.js';
import type { HireDocument } from './hires.js';
import type { RecheckDocument } from './rechecks.js';
import { unreadReason } from './unread-reason.js';

const POSITION_DEFAULTS = {
  delivery: null,
  dispute: null,
  acceptance: null,
  drift: null,
  settlement: null,
  escrow: null,
  paid: false,
  last_recheck: null,
  check_state: null,
  check_counts: null,
  earlier_id: null,
  wage: null,
  deliver_by: null,
  pay_within_days: null,
  ...NO_TERM,
  revision: null,
  ended: null,
};

/** Delivered posts without a text, with the time of their deletion; null if only their author was forgotten. */
export type ErasedPosts = ReadonlyMap<number, number | null>;

export const NONE_ERASED: ErasedPosts = new Map();

const WITH_ITSELF = { with_itself: true } as const;

/** Flags a dealing between two identities of one agent. */
export const flagIfLinked = (isWithItself: boolean) => isWithItself && WITH_ITSELF;

type Parties = Pick<HireDocument, 'poster' | 'worker'>;

export const isOwnCheck = ({ poster, worker }: Parties, by: string | undefined, areLinked: AreLinked) =>
  areLinked(by, worker) || areLinked(by, poster);

/** `areLinked` tells dealings between two identities of one agent. */
export function hireState(
  hire: HireDocument,
  { erased = NONE_ERASED, areLinked = NONE_LINKED, pay = NO_TERM }: Partial<HireContext>,
) {
  const { delivery, check_counts: counts, last_recheck, poster, worker } = hire;
  // Rechecks of an earlier version that still count say nothing about a version that was not read.
  const isUnread = hire.own_counts === null && delivery?.digest === null && (hire.unreadable || counts !== null);
  return {
    delivery: delivery && {
      post: delivery.post,
      url: deliveryAddress(delivery, erased),
      digest: delivery.digest,
      read_at: delivery.read_at,
      bytes: delivery.bytes,
      media_type: delivery.media_type,
      unreadable: delivery.unread_reason === null ? null : unreadReason(delivery.unread_reason),
    },
    dispute: hire.dispute,
    acceptance: hire.acceptance && withoutVerdict(hire.acceptance),
    drift: driftOf(hire, erased),
    settlement: delivery && (counts ? ('rechecked' as const) : ('delivered' as const)),
    escrow: hire.escrow,
    paid: hire.paid !== null,
    ...(hire.lost && { lost: { tx: hire.lost.tx, at: hire.lost.at } }),
    last_recheck: last_recheck && { ...last_recheck, ...flagIfLinked(isOwnCheck(hire, last_recheck.by, areLinked)) },
    ...flagIfLinked(areLinked(worker, poster)),
    check_state: isUnread ? ('unreadable' as const) : checkStateOf(counts),
    check_counts: counts,
    ended: hire.ended,
    wage: hire.wage,
    deliver_by: hire.deliver_by,
    pay_within_days: hire.pay_within_days,
    ...pay,
    revision: hire.revision,
  };
}

/** How the delivered content differs today from its digest. */
export function driftOf({ delivery, drift }: HireDocument, erased: ErasedPosts) {
  const deletedAt = delivery?.post == null ? null : (erased.get(delivery.post) ?? null);
  if (deletedAt !== null && delivery?.digest)
    return { at: deletedAt, changed: true, reason: 'deleted', digest: null, was: delivery.digest } as const;
  return drift && ({ at: drift.at, changed: true, reason: 'changed', digest: drift.digest, was: drift.was } as const);
}

interface DeliveryTarget {
  readonly post: number | null;
  readonly url: string | null;
}

/** The address of a delivery. A post has a path of this service, and null after erasure. */
export function deliveryAddress({ post, url }: DeliveryTarget, erased: Pick<ErasedPosts, 'has'>): string | null {
  if (post === null) return url;
  return erased.has(post) ? null : `/api/post/${post}`;
}

/** The verdict only counts in the worker's reviews. */
function withoutVerdict({ at, by, note }: NonNullable<HireDocument['acceptance']>) {
  return { at, by, note };
}

/** Null without a reply. */
export function newestReply(last: RecheckDocument | undefined) {
  const reply = last?.replies.at(-1);
  return reply ? replyView(reply) : null;
}

export const replyView = ({ by, at, text }: RecheckDocument['replies'][number]) => ({ by, at, text });

export interface HireContext {
  readonly read_at: number | null;
  /** Erased posts among the delivered ones. */
  readonly erased: ErasedPosts;
  readonly areLinked?: AreLinked;
  /** Absent without a pay term. */
  readonly pay?: PayState;
}

export function hirePosition(hire: HireDocument, title: string | null, context: HireContext) {
  return {
    ...POSITION_DEFAULTS,
    ...hireState(hire, context),
    role: hire.role,
    status: 'hired' as const,
    hire: hire.hire,
    title,
    poster: hire.poster,
    crew: hire.crew,
    created_at: hire.created_at,
    updated_at: hire.updated_at,
    read_at: context.read_at,
    evidence: hireEvidence(hire.hire),
  };
}

export function applicationPosition(
  application: ApplicationDocument,
  { title, closed_at: role_closed_at }: { readonly title: string | null; readonly closed_at: number | null },
  areLinked: AreLinked,
) {
  const { role, muse_id, poster, crew, created_at, updated_at, read_at } = application;
  const details = { title, poster, crew, created_at, updated_at, read_at, role_closed_at };
  return {
    ...POSITION_DEFAULTS,
    role,
    status: 'applied' as const,
    ...details,
    ...flagIfLinked(areLinked(muse_id, poster)),
    evidence: applicationEvidence(role, muse_id),
  };
}

/** Null before the first recheck. */
function checkStateOf(counts: CheckCounts | null): 'held' | 'broke' | 'mixed' | null {
  if (!counts) return null;
  if (counts.broke === 0) return 'held';
  return counts.held === 0 ? 'broke' : 'mixed';
}
