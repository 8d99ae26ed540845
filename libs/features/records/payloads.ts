import type { ApplicationDocument } from '#libs/features/jobs/views/applications.js';
import type { DeliveryVersion } from '#libs/features/hires/views/deliveries.js';
import type { HireDocument } from '#libs/features/hires/views/hires.js';
import {
  deliveryAddress,
  driftOf,
  type ErasedPosts,
  flagIfLinked,
  hireState,
  isOwnCheck,
  replyView,
} from '#libs/features/hires/views/positions.js';
import type { RecheckDocument } from '#libs/features/hires/views/rechecks.js';
import { type RoleDocument, roleView } from '#libs/features/jobs/views/roles.js';
import { areLinkedBy } from '#libs/features/identity/views/linked-pairs.js';
import type { LinkDocument } from '#libs/features/identity/views/links.js';
import type { StateReference } from '#libs/views/state-reference.js';
import type { HireDetails } from './hire-details.js';
import { RAILS } from '#libs/payments/rails.js';

/** Signed records contain times as ISO 8601 UTC. */
const iso = (at: number) => new Date(at).toISOString();
const isoOrNull = (at: number | null) => (at === null ? null : iso(at));

/** A state that an earlier request caused, such as a late wage, has that request's time. */
const newestTime = (all: readonly StateReference[]) => all.reduce((at, state) => Math.max(at, state.at), 0);

const states = (all: readonly StateReference[]) => all.map(({ at, ...state }) => ({ ...state, at: iso(at) }));

function deliveryPayload({ at, read_at, ...version }: DeliveryVersion, erasedPosts: ErasedPosts) {
  return { ...version, url: deliveryAddress(version, erasedPosts), at: iso(at), read_at: isoOrNull(read_at) };
}

/**
 * With `note_salt`, a reader can check that a note is the committed one. The payload stays the same until the hire
 * changes, or a link tells that it was between identities of one agent: `issued_at` is the time of the last change.
 */
export function hirePayload(details: HireDetails, title: string | null, application: ApplicationDocument | undefined) {
  const { hire, deliveries, rechecks, erasedPosts, links, terms } = details;
  const { hire: id, role, poster, worker, project, crew, note_commitment, delivery, budget, wage } = hire;
  const areLinked = areLinkedBy(links);
  const drift = driftOf(hire, erasedPosts);
  const { dispute, settlement, last_recheck, check_state, check_counts, ended } = hireState(hire, {
    erased: erasedPosts,
    areLinked,
  });
  const note_salt = application?.hired_on.find(({ hire }) => hire === id)?.note_salt ?? null;
  return {
    kind: 'hire',
    hire: id,
    role,
    title,
    poster,
    worker,
    ...flagIfLinked(areLinked(worker, poster)),
    project,
    crew,
    budget,
    wage,
    terms_digest: hire.terms_digest,
    terms,
    note_commitment,
    note_salt,
    applied_at: iso(hire.applied_at),
    hired_at: iso(hire.created_at),
    deliver_by: isoOrNull(hire.deliver_by),
    pay_within_days: hire.pay_within_days,
    delivery: delivery && deliveryPayload(delivery, erasedPosts),
    deliveries: deliveries.map(({ hire: _hire, author: _author, ...version }) => deliveryPayload(version, erasedPosts)),
    drift: drift && { ...drift, at: iso(drift.at) },
    rechecks: rechecks.map(each => ({
      ...recheckPayload(each),
      ...flagIfLinked(isOwnCheck(hire, each.by, areLinked)),
    })),
    settlement,
    check_state,
    check_counts,
    last_recheck: withIsoTime(last_recheck),
    acceptance: withIsoTime(hire.acceptance),
    dispute: withIsoTime(dispute),
    ended: withIsoTime(ended),
    escrow: hire.escrow && escrowPayload(hire.escrow),
    payment: paymentPayload(hire),
    ...(hire.lost && { lost: { tx: hire.lost.tx, paid_at: iso(hire.lost.paid_at), at: iso(hire.lost.at) } }),
    states: states(details.states),
    issued_at: iso(Math.max(newestTime(details.states), hire.paid?.moved_at ?? 0, drift?.at ?? 0, ...linkTimes(links))),
  };
}

const linkTimes = (links: readonly LinkDocument[]) => links.map(({ at }) => at);

const withIsoTime = <T extends { readonly at: number }>(value: T | null) => value && { ...value, at: iso(value.at) };

function recheckPayload({ hire: _hire, position: _position, repliers: _repliers, ...entry }: RecheckDocument) {
  return { ...entry, at: iso(entry.at), replies: entry.replies.map(reply => withIsoTime(replyView(reply))) };
}

function escrowPayload({ deadline, review_ends_at, ...escrow }: NonNullable<HireDocument['escrow']>) {
  return { ...escrow, deadline: iso(deadline), review_ends_at: isoOrNull(review_ends_at) };
}

function paymentPayload({ paid, wage }: HireDocument) {
  if (!paid || !wage) return null;
  const { amount, usd, token, rail } = wage;
  const network = RAILS.find(({ name }) => name === rail)!.short;
  return { tx: paid.tx, block: paid.block, network, token, amount, usd, paid_at: iso(paid.at) };
}

export function applicationPayload(
  application: ApplicationDocument,
  roleDocument: RoleDocument | undefined,
  { links, now }: { readonly links: readonly LinkDocument[]; readonly now: number },
) {
  const { title = null, closed_at = null } = roleDocument ? roleView(roleDocument, now) : {};
  const { role, muse_id: worker, poster, crew, status, hire, note_commitment, note_salt } = application;
  return {
    kind: 'application',
    role,
    title,
    poster,
    worker,
    ...flagIfLinked(areLinkedBy(links)(worker, poster)),
    crew,
    status,
    role_closed_at: isoOrNull(closed_at),
    hire,
    note_commitment,
    note_salt,
    applied_at: iso(application.created_at),
    updated_at: iso(application.updated_at),
    states: states(application.states),
    issued_at: iso(
      Math.max(newestTime(application.states), closed_at ?? 0, roleDocument?.reopened_at ?? 0, ...linkTimes(links)),
    ),
  };
}
