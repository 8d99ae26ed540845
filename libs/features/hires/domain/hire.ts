import { resolvePosterId } from '#libs/kernel/system-account.js';
import { PersistentMap } from '#libs/kernel/persistent-map.js';
import { addCheck, type Checks, NO_CHECKS } from './check-counts.js';
import { type EventOf, defineStream } from '#libs/domain/define.js';
import type { parties } from './hire-fields.js';
import { addPayFact, type PayFact } from './pay-facts.js';
import type { Announced } from './pay-term.js';
import * as events from './hire-events.js';

export * from './hire-events.js';

const EVENTS = Object.values(events);
type HireEvent = EventOf<(typeof EVENTS)[number]>;
type EventNamed<T extends HireEvent['type']> = Extract<HireEvent, { readonly type: T }>;

export type HiredData = EventNamed<'Hired'>['data'];
export type HireRef = Pick<HiredData, 'hire'>;

/** `digest` is undefined until the service has read the delivery, null if it could not. */
export interface Delivery {
  readonly delivery: number;
  readonly url: string | null;
  readonly at: number;
  readonly event: string;
  readonly digest?: string | null;
  /** Digest of the changed content; null while it matches. */
  readonly drifted: string | null;
  /** Rechecks that count: those of this version, and of earlier ones until another digest is read. */
  readonly checks: Checks;
  readonly ownChecks: Checks;
  /** Rechecks of earlier versions, and the digest that was read then; null if none count. */
  readonly earlier: { readonly checks: Checks; readonly digest: string | null } | null;
}

/** `from` is the first reading of the version under review; `heldFrom` the first dispute that holds the release. */
interface Review {
  readonly from: number;
  readonly delivery: number;
  /** Whether the worker has delivered the one replacement. */
  readonly isReplaced: boolean;
  readonly heldFrom?: number;
  readonly isReminded?: boolean;
}

export type Acceptance = Pick<EventNamed<'Accepted'>['data'], 'by' | 'note' | 'positive'> & { readonly at: number };

/** `count` of all revisions of the hire. */
export interface Revision {
  readonly at: number;
  readonly count: number;
  readonly answered_at: number | null;
}

interface HireData extends HiredData {
  /** Unix ms. */
  readonly hiredAt: number;
  /** The newest delivery before `deliver_by`, unix ms; null without one. */
  readonly deliveredInTime: number | null;
  /** Whether a delivery was read, accepted or paid for: then the deadline is met. */
  readonly meetsDeadline: boolean;
  readonly isDeliveryDue: boolean;
  /** Absent without a pay term. */
  readonly payFacts?: readonly PayFact[];
  /** The newest state of the pay term that the service said. */
  readonly announced?: Announced;
  /** Absent until the escrow of the hire is funded. */
  readonly funding?: EventNamed<'EscrowFunded'>['data'] & { readonly at: number };
  readonly decided?: Pick<EventNamed<'EscrowDecided'>['data'], 'to' | 'reason'> & { readonly at: number };
  /** Whether the escrow ended without paying the worker. */
  readonly isEscrowClosed?: boolean;
  readonly review?: Review;
  readonly dispute: { readonly by: string; readonly reason: string | null; readonly at: number } | null;
  /** The newest revision. */
  readonly revision: Revision | null;
  /** In the order of the revisions; null once erased. */
  readonly revisionTexts: readonly (string | null)[];
  /** Time of the newest request for a payout address. */
  readonly payoutAskedAt: number | null;
  /** Authors of the rechecks of all versions; each recheck can get a reply. */
  readonly recheckedBy: PersistentMap<number, string>;
}

interface HireWithDelivery extends HireData {
  readonly delivery: Delivery;
  readonly acceptance: Acceptance | null;
  /** The latest wage of this delivery. Its payment may be open, or ended without effect. */
  readonly startedWage: Pick<EventNamed<'WageStarted'>['data'], 'payment' | 'delivery' | 'digest'> | null;
}

export type Hire =
  | { readonly status: 'unknown' }
  | (HireData & { readonly status: 'hired' })
  | (HireData & { readonly status: 'ended'; readonly ended: EventNamed<'HireEnded'> })
  | (HireWithDelivery & { readonly status: 'delivered' })
  | (HireWithDelivery & { readonly status: 'paid'; readonly paid: EventNamed<'Paid'> });

export type KnownHire = Exclude<Hire, { status: 'unknown' }>;
export type DeliveredHire = Extract<Hire, { delivery: Delivery }>;

const NEW_HIRE = {
  deliveredInTime: null,
  meetsDeadline: false,
  isDeliveryDue: false,
  dispute: null,
  revision: null,
  revisionTexts: [],
  payoutAskedAt: null,
  recheckedBy: PersistentMap.empty<number, string>(),
};

export const Hire = defineStream('hire', {
  key: (hire: number) => String(hire),
  events: EVENTS,
  initial: { status: 'unknown' },
  evolve: (state: Hire, event: HireEvent): Hire => withPayFacts(evolveHire(state, event), event),
});

function evolveHire(state: Hire, event: HireEvent): Hire {
  if (event.type === 'Hired') return { ...event.data, status: 'hired', hiredAt: event.at, ...NEW_HIRE };
  if (state.status === 'unknown') return state;
  switch (event.type) {
    case 'Delivered':
      return withDelivery(state, event);
    case 'Disputed': {
      const dispute = { by: event.data.by, reason: event.data.reason, at: event.at };
      return withReview({ ...state, dispute }, { heldFrom: state.review?.heldFrom ?? event.at });
    }
    case 'DisputeWithdrawn':
      return endHold({ ...state, dispute: null });
    case 'EscrowFunded':
      return { ...state, funding: { ...event.data, at: event.at } };
    case 'EscrowDecided': {
      const { to, reason } = event.data;
      return { ...state, decided: state.decided ?? { to, reason, at: event.at } };
    }
    case 'EscrowClosed':
      return { ...state, isEscrowClosed: true };
    case 'ReviewEndsSoon':
      return withReview(state, { isReminded: true });
    case 'DeliveryDue':
      return { ...state, isDeliveryDue: true };
    case 'WageDue': {
      const { state: due, due_at } = event.data;
      return { ...state, announced: { state: due, due_at } };
    }
    case 'PayoutAsked':
      return { ...state, payoutAskedAt: event.at };
    case 'RevisionAsked':
      return withRevision(state, event);
    case 'HireEnded':
      return state.status === 'paid' ? state : { ...state, status: 'ended', ended: event };
    default:
      return hasDelivery(state) ? evolveDelivery(state, event) : state;
  }
}

type LaterEvent = EventNamed<
  | 'DeliveryRead'
  | 'DeliveryDrifted'
  | 'DeliveryMatches'
  | 'Rechecked'
  | 'RecheckReplied'
  | 'Accepted'
  | 'WageStarted'
  | 'Paid'
  | 'WageLost'
>;

function evolveDelivery(hire: DeliveredHire, event: LaterEvent): Hire {
  switch (event.type) {
    case 'DeliveryRead':
      return startReview(withReading(hire, event.data), event);
    case 'DeliveryDrifted':
      return updateLatest(hire, event.data.delivery, { drifted: event.data.digest });
    case 'DeliveryMatches':
      return updateLatest(hire, event.data.delivery, { drifted: null });
    case 'Rechecked':
      return withRecheck(hire, event.data);
    case 'RecheckReplied':
      return hire;
    case 'Accepted': {
      const { by, note, positive } = event.data;
      return { ...hire, meetsDeadline: true, acceptance: { at: event.at, by, note, positive } };
    }
    case 'WageStarted': {
      const { payment, delivery, digest } = event.data;
      return { ...hire, meetsDeadline: true, startedWage: { payment, delivery, digest } };
    }
    case 'Paid':
      return { ...hire, status: 'paid', paid: event };
    case 'WageLost': {
      const { paid, ...rest } = { paid: null, ...hire };
      return paid?.data.payment === event.data.payment ? { ...rest, status: 'delivered' } : hire;
    }
    default:
      event satisfies never;
      return hire;
  }
}

function withPayFacts(hire: Hire, event: HireEvent): Hire {
  if (hire.status === 'unknown' || hire.pay_within_days === undefined) return hire;
  return { ...hire, payFacts: addPayFact(hire.payFacts ?? [], event) };
}

export function partiesOf({ hire, role, poster, worker }: Pick<HiredData, keyof typeof parties>) {
  return { hire, role, poster, worker };
}

/** Whether one of the muses is a party. The house is the poster of a hire without `poster`. */
export const isPartyOf = ({ poster, worker }: Pick<HiredData, 'poster' | 'worker'>, ...ids: readonly string[]) =>
  ids.includes(resolvePosterId(poster)) || ids.includes(worker);

export const hasDelivery = (hire: Hire): hire is DeliveredHire => hire.status === 'delivered' || hire.status === 'paid';

function withDelivery(hire: KnownHire, { data, at, id }: EventNamed<'Delivered'>): Hire {
  const earlier = hasDelivery(hire) ? earlierChecks(hire.delivery) : null;
  const checks = { checks: earlier?.checks ?? NO_CHECKS, ownChecks: NO_CHECKS, earlier };
  const delivery = { delivery: data.delivery, url: data.url, at, event: id, drifted: null, ...checks };
  const { deliver_by = Infinity } = hire;
  const revision = answerRevision(hire.revision, at);
  if (hire.status === 'paid') return { ...hire, delivery, revision };
  const deliveredInTime = at < deliver_by ? at : hire.deliveredInTime;
  const started = { delivery, deliveredInTime, revision, acceptance: null, startedWage: null };
  return withReview({ ...hire, status: 'delivered' as const, ...started }, { isReplaced: true });
}

function withRevision(hire: KnownHire, { at, data: { count, text } }: EventNamed<'RevisionAsked'>): Hire {
  return { ...hire, revision: { at, count, answered_at: null }, revisionTexts: [...hire.revisionTexts, text] };
}

/** A delivery answers the newest revision, once. */
export const answerRevision = (revision: Revision | null, at: number) =>
  revision && { ...revision, answered_at: revision.answered_at ?? at };

function earlierChecks({ checks, digest, earlier }: Delivery): Delivery['earlier'] {
  return checks.newestResult === null ? null : { checks, digest: digest ?? earlier?.digest ?? null };
}

/** Events about an older version change nothing. */
function updateLatest(hire: DeliveredHire, version: number, change: Partial<Delivery>): Hire {
  return hire.delivery.delivery === version ? { ...hire, delivery: { ...hire.delivery, ...change } } : hire;
}

function withReading(hire: DeliveredHire, data: EventNamed<'DeliveryRead'>['data']): Hire {
  const { delivery, digest, outdated_for } = data;
  const checks = hire.delivery.ownChecks;
  const read = digest === null ? hire : { ...hire, meetsDeadline: true };
  return updateLatest(read, delivery, { digest, ...(outdated_for && { checks, earlier: null }) });
}

function withRecheck(hire: DeliveredHire, { recheck, by, result, delivery }: EventNamed<'Rechecked'>['data']): Hire {
  const { checks, ownChecks } = hire.delivery;
  const recheckedBy = hire.recheckedBy.with(recheck, by);
  const added = { recheck, result };
  const change = { checks: addCheck(checks, by, added), ownChecks: addCheck(ownChecks, by, added) };
  return updateLatest({ ...hire, recheckedBy }, delivery, change);
}

/** Without a review nothing changes. */
const withReview = <H extends KnownHire>(hire: H, change: Partial<Review>): H =>
  hire.review ? { ...hire, review: { ...hire.review, ...change } } : hire;

function endHold<H extends KnownHire>(hire: H): H {
  if (!hire.review) return hire;
  const { heldFrom: _held, ...review } = hire.review;
  return { ...hire, review };
}

/** The review of an escrowed delivery begins when it is first read, and again for its replacement. */
function startReview(hire: Hire, { data, at }: EventNamed<'DeliveryRead'>): Hire {
  if (!hasDelivery(hire) || !hire.funding || hire.delivery.delivery !== data.delivery) return hire;
  if (data.digest === null || hire.review?.delivery === data.delivery) return hire;
  const { isReplaced = false, heldFrom } = hire.review ?? {};
  const held = heldFrom === undefined ? {} : { heldFrom };
  return { ...hire, review: { from: at, delivery: data.delivery, isReplaced, ...held } };
}
