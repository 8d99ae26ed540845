import type { EventOf } from '#libs/domain/define.js';
import {
  Accepted,
  answerRevision,
  Delivered,
  DeliveryDrifted,
  DeliveryMatches,
  DeliveryRead,
  DisputeWithdrawn,
  Disputed,
  EscrowDecided,
  EscrowFunded,
  HireEnded,
  Hired,
  Paid,
  RecheckReplied,
  Rechecked,
  RevisionAsked,
  WageLost,
} from '#libs/features/hires/domain/hire.js';
import { EscrowLost, EscrowReleased, EscrowReturned, EscrowStuck } from '#libs/domain/escrow.js';
import { PaymentSettled } from '#libs/domain/payment.js';
import type { Event } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { addResult, NO_RESULTS } from '#libs/features/hires/domain/check-counts.js';
import { readingOf, UNREAD } from './deliveries.js';
import { HireDocument } from './hire-document.js';
import { eraseMuse } from './erased-hire.js';
import { authorsAfter } from './later-authors.js';
import { byEscrowedHire, withReview } from './escrow-review.js';
import { isInHireDocument } from './later-states.js';
import { by, onExisting, on, defineProjection } from '#libs/views/projection.js';
import { toStateReference } from '#libs/views/state-reference.js';

export { HireDocument };

const UNCHECKED = { check_counts: null, own_counts: null, last_recheck: null, checked_by: null };

const byHire = by('hire');

export const Hires = defineProjection('hires', HireDocument, {
  shape: '7ac82d18',
  indexes: {
    byWorker: ['worker', 'opened'],
    byRole: ['role', 'opened'],
    unreadable: ['unreadable?', 'updated_at'],
    byWorkerAndOpen: ['worker', 'is_open', 'opened'],
    byPoster: ['poster', 'is_open', 'opened'],
    byChecker: ['checked_by?'],
    byLaterAuthor: ['later_authors[]'],
  },
  forgets: { by: ['byWorker', 'byPoster', 'byChecker', 'byLaterAuthor'], erase: eraseMuse },
  steps: [
    on(Hired, byHire, (_document, event) => hiredDocument(event)),
    onExisting(Delivered, byHire, (hire, event) => {
      const { delivery: version, post, url, note } = event.data;
      const delivery = { version, post, url, note, at: event.at, ...UNREAD };
      return withUpdate(hire, event, {
        delivery,
        ...authorsAfter(hire, 'delivery', event, hire.worker),
        ...proofIn(hire, event),
        revision: answerRevision(hire.revision, event.at),
        drift: null,
        unreadable: false,
        own_counts: null,
      });
    }),
    onExisting(DeliveryRead, byHire, (hire, event) => {
      const { delivery, digest, outdated_for } = event.data;
      const { delivery: latest, own_counts } = hire;
      // A late reading of an older version does not concern the latest.
      if (latest?.version !== delivery) return withState(hire, event);
      const readVersion = { ...latest, ...readingOf(event) };
      const escrow = digest === null ? hire.escrow : withReview(hire, event.at);
      const read = { ...withState(hire, event), delivery: readVersion, unreadable: digest === null, escrow };
      const checks = own_counts === null ? UNCHECKED : { check_counts: own_counts };
      return outdated_for ? { ...read, ...checks, ...proofIn(hire, event) } : read;
    }),
    onExisting(DeliveryDrifted, byHire, (hire, event) => {
      const { digest, was } = event.data;
      return { ...withState(hire, event), drift: { at: event.at, digest, was } };
    }),
    onExisting(DeliveryMatches, byHire, (hire, event) => ({ ...withState(hire, event), drift: null })),
    onExisting(Rechecked, byHire, (hire, event) =>
      withUpdate(hire, event, { ...withRecheck(hire, event), ...proofIn(hire, event) }),
    ),
    onExisting(RecheckReplied, byHire, (hire, event) => withUpdate(hire, event, {})),
    onExisting(Accepted, byHire, (hire, event) => {
      const { by, note, positive } = event.data;
      const acceptance = { at: event.at, by, note, positive };
      return withUpdate(hire, event, {
        ...proofIn(hire, event),
        ...authorsAfter(hire, 'acceptance', event, by),
        acceptance,
      });
    }),
    onExisting(Disputed, byHire, (hire, event) => {
      const { by, reason } = event.data;
      const dispute = { by, reason, at: event.at, state: 'open' as const };
      return withUpdate(hire, event, {
        ...proofIn(hire, event),
        ...authorsAfter(hire, 'dispute', event, by),
        dispute,
      });
    }),
    onExisting(DisputeWithdrawn, byHire, (hire, event) => {
      const dispute = hire.dispute && { ...hire.dispute, at: event.at, state: 'withdrawn' as const };
      return withUpdate(hire, event, { dispute, ...proofIn(hire, event) });
    }),
    onExisting(RevisionAsked, byHire, (hire, event) =>
      withUpdate(hire, event, { revision: { at: event.at, count: event.data.count, answered_at: null } }),
    ),
    onExisting(EscrowFunded, byHire, (hire, event) => {
      return withUpdate(hire, event, { escrow: fundedEscrow(event.data), review_days: event.data.terms.review_days });
    }),
    onExisting(EscrowDecided, byHire, (hire, event) => {
      const { to, reason } = event.data;
      const status = to === 'worker' ? ('releasing' as const) : ('returning' as const);
      const escrow = hire.escrow && { ...hire.escrow, status, reason, ...operatorReasonOf(event) };
      return withUpdate(hire, event, { escrow });
    }),
    onExisting(EscrowReleased, byEscrowedHire, (hire, event) => withEscrow(hire, event, 'released', event.data)),
    onExisting(EscrowReturned, byEscrowedHire, (hire, event) => withEscrow(hire, event, 'returned', event.data)),
    onExisting(EscrowStuck, byEscrowedHire, (hire, event) => withEscrow(hire, event, 'stuck')),
    onExisting(EscrowLost, byEscrowedHire, (hire, event) => withEscrow(hire, event, 'lost')),
    onExisting(HireEnded, byHire, (hire, event) => {
      const { by, reason } = event.data;
      const ended = { at: event.at, by, reason };
      return withUpdate(hire, event, { ...proofIn(hire, event), ...authorsAfter(hire, 'ended', event, by), ended });
    }),
    onExisting(Paid, byHire, (hire, event) => {
      const { item, tx, block } = event.data;
      return withUpdate(hire, event, { paid: { item, tx, block, at: event.at, moved_at: null }, lost: null });
    }),
    onExisting(
      PaymentSettled,
      ({ data }) => (data.wage ? [String(data.wage.hire)] : []),
      (hire, event) => {
        const { tx, block } = event.data;
        return { ...hire, paid: hire.paid && { ...hire.paid, tx, block, moved_at: event.at } };
      },
    ),
    onExisting(WageLost, byHire, (hire, event) => {
      const paid_at = hire.paid?.at ?? event.at;
      return withUpdate(hire, event, { paid: null, lost: { tx: event.data.tx, at: event.at, paid_at } });
    }),
  ],
});

type ProofEvent = { readonly data: { readonly skills?: readonly string[]; readonly proves?: boolean | null } };

const proofIn = (hire: HireDocument, { data: { skills = [], proves = null } }: ProofEvent) => ({
  proves: proves === null ? hire.proves : proves ? [...skills] : [],
});

export function hiredDocument(event: EventOf<typeof Hired>): HireDocument {
  const { hire, item, role, poster, worker, project, crew, budget, wage, applied_at, note_commitment } = event.data;
  const hired = { hire, item, role, poster, worker, project, crew, budget, wage, applied_at, note_commitment };
  const undelivered = { proves: [], delivery: null, drift: null, unreadable: false, ...UNCHECKED };
  const unset = {
    authors: {},
    later_authors: [],
    paid: null,
    lost: null,
    acceptance: null,
    dispute: null,
    ended: null,
    revision: null,
    escrow: null,
    review_days: null,
    deliver_by: event.data.deliver_by ?? null,
    pay_within_days: event.data.pay_within_days ?? null,
    terms_digest: event.data.terms_digest ?? null,
    terms_revision: event.data.terms_revision ?? null,
  };
  return {
    ...hired,
    ...undelivered,
    ...unset,
    is_open: true,
    created_at: event.at,
    updated_at: event.at,
    states: [toStateReference(event)],
    opened: event.position,
  };
}

export function fundedEscrow(data: EventOf<typeof EscrowFunded>['data']): NonNullable<HireDocument['escrow']> {
  const { amount, usd, rail, tx, capture_deadline: deadline } = data;
  return { status: 'funded', amount, usd, rail, tx, deadline, reason: null, review_ends_at: null };
}

const operatorReasonOf = ({ authorization }: Pick<Event, 'authorization'>) =>
  authorization.mode === 'operator' ? { operator_reason: authorization.reason } : {};

/** The chain decides: its event is not a state of the hire. */
const withEscrow = (
  hire: HireDocument,
  { at }: Pick<Event, 'at'>,
  status: NonNullable<HireDocument['escrow']>['status'],
  step: { readonly tx?: string; readonly reason?: string } = {},
): HireDocument => {
  const { tx = hire.escrow?.tx, reason = hire.escrow?.reason } = step;
  const escrow = hire.escrow && { ...hire.escrow, status, tx: tx!, reason: reason ?? null };
  return { ...hire, escrow, updated_at: Math.max(hire.updated_at, at) };
};

function withState(hire: HireDocument, event: Event): HireDocument {
  return isInHireDocument(event) ? { ...hire, states: [...hire.states, toStateReference(event)] } : { ...hire };
}

/**
 * Also sets `updated_at`, for events that are not only readings by the service. A wage that settles late has the time
 * of its request, hence the maximum.
 */
function withUpdate(hire: HireDocument, event: Event, changes: Partial<HireDocument> & JsonObject): HireDocument {
  const updated = { ...withState(hire, event), ...changes, updated_at: Math.max(hire.updated_at, event.at) };
  return { ...updated, is_open: isOpen(updated) };
}

const isOpen = ({ ended, delivery, acceptance, paid }: HireDocument) =>
  ended === null && (delivery === null || (acceptance === null && paid === null));

function withRecheck(hire: HireDocument, { data, at }: EventOf<typeof Rechecked>): Partial<HireDocument> & JsonObject {
  const { recheck, by, delivery, result, replaces, supersedes, scope, out_of_scope, would_change } = data;
  if (hire.delivery?.version !== delivery) return {};
  const last_recheck = { recheck, result, at, by, scope, out_of_scope, would_change };
  const check_counts = addResult(hire.check_counts ?? NO_RESULTS, result, replaces ?? supersedes ?? null);
  const own_counts = addResult(hire.own_counts ?? NO_RESULTS, result, replaces);
  return { check_counts, own_counts, last_recheck, checked_by: by };
}
