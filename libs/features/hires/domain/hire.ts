import { resolvePosterId } from '#libs/kernel/system-account.js';
import { PersistentMap } from '#libs/kernel/persistent-map.js';
import { addCheck, type Checks, NO_CHECKS } from './check-counts.js';
import { defineEvent, type EventOf, defineStream } from '#libs/domain/define.js';
import * as f from '#libs/domain/event-fields.js';
import { DELIVERY_FIELDS, parties, proof, RECHECK_FIELDS, wage, wageTarget } from './hire-fields.js';
import { hireFields } from '#libs/features/jobs/domain/job.js';

export const Hired = defineEvent('Hired', 'A hire began. The poster decided it with SeatFilled.', hireFields);

/** `delivery` counts the versions of a hire's delivery from 1. */
export const Delivered = defineEvent('Delivered', 'The worker delivered an address or a post, or another version.', {
  ...parties,
  delivery: f.clear(f.integer),
  ...DELIVERY_FIELDS,
  ...proof,
  project: f.clear(f.optional(f.slug)),
});

/**
 * `digest` is null if the delivery could not be read; `reason` says why. `media_type` is what its host said, null
 * without one. `outdated_for`: muses whose rechecks of earlier versions counted until now, because the digest is
 * another one.
 */
export const DeliveryRead = defineEvent('DeliveryRead', 'The service read a delivery, or failed to read it.', {
  ...parties,
  delivery: f.clear(f.integer),
  digest: f.clear(f.orNull(f.digest)),
  bytes: f.clear(f.integer),
  media_type: f.clear(f.orNull(f.text)),
  reason: f.clear(f.orNull(f.text)),
  outdated_for: f.clear(f.optional(f.list(f.museId))),
  skills: f.clear(f.optional(f.skills)),
  proves: f.clear(f.optional(f.orNull(f.flag))),
});

/** The address has other content than what was delivered. `was` is the digest of the delivery. */
export const DeliveryDrifted = defineEvent('DeliveryDrifted', 'The address of a delivery has other content now.', {
  ...parties,
  delivery: f.clear(f.integer),
  digest: f.clear(f.digest),
  was: f.clear(f.digest),
});

/** A drifted delivery has its original content again. */
export const DeliveryMatches = defineEvent('DeliveryMatches', 'The address of a delivery has its content again.', {
  ...parties,
  delivery: f.clear(f.integer),
  digest: f.clear(f.digest),
});

/**
 * A muse that replaces its recheck of a delivery keeps the `recheck` id; `replaces` is its earlier result. `digest`
 * is the digest of the delivery at that time. `supersedes` is the result of its recheck of an earlier version, if that
 * counted until now.
 */
export const Rechecked = defineEvent('Rechecked', 'An agent checked a delivery and published the result.', {
  ...parties,
  recheck: f.clear(f.id),
  by: f.clear(f.museId),
  delivery: f.clear(f.integer),
  result: f.clear(f.oneOf('held', 'broke')),
  replaces: f.clear(f.orNull(f.oneOf('held', 'broke'))),
  supersedes: f.clear(f.optional(f.oneOf('held', 'broke'))),
  digest: f.clear(f.orNull(f.digest)),
  ...RECHECK_FIELDS,
  ...proof,
});

export const RecheckReplied = defineEvent('RecheckReplied', 'A party replied to a check of a delivery.', {
  ...parties,
  recheck: f.clear(f.id),
  by: f.clear(f.museId),
  text: f.personal(f.text),
});

/** `was_positive` is the verdict of the acceptance that this one replaces. */
export const Accepted = defineEvent('Accepted', 'The poster reviewed a delivery and accepted it, as positive or not.', {
  ...parties,
  by: f.clear(f.museId),
  note: f.personal(f.orNull(f.text)),
  positive: f.clear(f.flag),
  was_positive: f.clear(f.orNull(f.flag)),
  ...proof,
});

export const Disputed = defineEvent('Disputed', 'A party disputed a hire.', {
  ...parties,
  by: f.clear(f.museId),
  reason: f.personal(f.text),
  again: f.clear(f.flag),
  ...proof,
});

export const DisputeWithdrawn = defineEvent('DisputeWithdrawn', 'A party withdrew its dispute.', {
  ...parties,
  by: f.clear(f.museId),
  ...proof,
});

/** The hire ended before a delivery; its seat is freed. */
export const HireEnded = defineEvent('HireEnded', 'A hire ended before a delivery, and its seat is free again.', {
  ...parties,
  by: f.clear(f.museId),
  reason: f.personal(f.text),
});

export const PayoutAsked = defineEvent(
  'PayoutAsked',
  'The poster asked a worker without a wallet for a payout address.',
  {
    ...parties,
    by: f.clear(f.museId),
  },
);

/** The delivery cannot change until the payment of the wage has ended. */
export const WageStarted = defineEvent('WageStarted', 'The payment of a wage began, so the delivery cannot change.', {
  ...parties,
  ...wageTarget,
});

export const Paid = defineEvent('Paid', 'The wage of a hire was paid from wallet to wallet.', { ...parties, ...wage });

/** A reorganisation took the wage back. Repeats the fields of `Paid`, so that projections can subtract it. */
export const WageLost = defineEvent('WageLost', 'A reorganisation of the chain took a wage back.', {
  ...parties,
  ...wage,
});

const EVENTS = [
  Hired,
  Delivered,
  DeliveryRead,
  DeliveryDrifted,
  DeliveryMatches,
  Rechecked,
  RecheckReplied,
  Accepted,
  Disputed,
  DisputeWithdrawn,
  WageStarted,
  Paid,
  WageLost,
  HireEnded,
  PayoutAsked,
] as const;

export type HiredData = EventOf<typeof Hired>['data'];
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

export type Acceptance = Pick<EventOf<typeof Accepted>['data'], 'by' | 'note' | 'positive'> & { readonly at: number };

interface HireData extends HiredData {
  readonly dispute: { readonly by: string; readonly reason: string | null; readonly at: number } | null;
  /** Time of the newest request for a payout address. */
  readonly payoutAskedAt: number | null;
  /** Authors of the rechecks of all versions; each recheck can get a reply. */
  readonly recheckedBy: PersistentMap<number, string>;
}

interface HireWithDelivery extends HireData {
  readonly delivery: Delivery;
  readonly acceptance: Acceptance | null;
  /** The latest wage of this delivery. Its payment may be open, or ended without effect. */
  readonly wage: Pick<EventOf<typeof WageStarted>['data'], 'payment' | 'delivery' | 'digest'> | null;
}

export type Hire =
  | { readonly status: 'unknown' }
  | (HireData & { readonly status: 'hired' })
  | (HireData & { readonly status: 'ended'; readonly ended: EventOf<typeof HireEnded> })
  | (HireWithDelivery & { readonly status: 'delivered' })
  | (HireWithDelivery & { readonly status: 'paid'; readonly paid: EventOf<typeof Paid> });

export type KnownHire = Exclude<Hire, { status: 'unknown' }>;
export type DeliveredHire = Extract<Hire, { delivery: Delivery }>;

type HireEvent = EventOf<(typeof EVENTS)[number]>;

const NEW_HIRE = { dispute: null, payoutAskedAt: null, recheckedBy: PersistentMap.empty<number, string>() };

export const Hire = defineStream('hire', {
  key: (hire: number) => String(hire),
  events: EVENTS,
  initial: { status: 'unknown' },
  evolve(state: Hire, event: HireEvent): Hire {
    if (event.type === 'Hired') return { ...event.data, status: 'hired', ...NEW_HIRE };
    if (state.status === 'unknown') return state;
    switch (event.type) {
      case 'Delivered':
        return withDelivery(state, event);
      case 'Disputed':
        return { ...state, dispute: { by: event.data.by, reason: event.data.reason, at: event.at } };
      case 'DisputeWithdrawn':
        return { ...state, dispute: null };
      case 'PayoutAsked':
        return { ...state, payoutAskedAt: event.at };
      case 'HireEnded':
        return state.status === 'hired' ? { ...state, status: 'ended', ended: event } : state;
      default:
        return hasDelivery(state) ? evolveDelivery(state, event) : state;
    }
  },
});

export function partiesOf({ hire, role, poster, worker }: Pick<HiredData, keyof typeof parties>) {
  return { hire, role, poster, worker };
}

/** Whether one of the muses is a party. The house is the poster of a hire without `poster`. */
export const isPartyOf = ({ poster, worker }: Pick<HiredData, 'poster' | 'worker'>, ...ids: readonly string[]) =>
  ids.includes(resolvePosterId(poster)) || ids.includes(worker);

export const hasDelivery = (hire: Hire): hire is DeliveredHire => hire.status === 'delivered' || hire.status === 'paid';

function withDelivery(hire: KnownHire, { data, at, id }: EventOf<typeof Delivered>): Hire {
  const earlier = hasDelivery(hire) ? earlierChecks(hire.delivery) : null;
  const checks = { checks: earlier?.checks ?? NO_CHECKS, ownChecks: NO_CHECKS, earlier };
  const delivery = { delivery: data.delivery, url: data.url, at, event: id, drifted: null, ...checks };
  if (hire.status === 'paid') return { ...hire, delivery };
  return { ...hire, status: 'delivered', delivery, acceptance: null, wage: null };
}

function earlierChecks({ checks, digest, earlier }: Delivery): Delivery['earlier'] {
  return checks.newestResult === null ? null : { checks, digest: digest ?? earlier?.digest ?? null };
}

type LaterEvent = Exclude<
  HireEvent,
  { type: 'Hired' | 'Delivered' | 'Disputed' | 'DisputeWithdrawn' | 'HireEnded' | 'PayoutAsked' }
>;

function evolveDelivery(hire: DeliveredHire, event: LaterEvent): Hire {
  switch (event.type) {
    case 'DeliveryRead':
      return withReading(hire, event.data);
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
      return { ...hire, acceptance: { at: event.at, by, note, positive } };
    }
    case 'WageStarted': {
      const { payment, delivery, digest } = event.data;
      return { ...hire, wage: { payment, delivery, digest } };
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

/** Events about an older version change nothing. */
function updateLatest(hire: DeliveredHire, version: number, change: Partial<Delivery>): Hire {
  return hire.delivery.delivery === version ? { ...hire, delivery: { ...hire.delivery, ...change } } : hire;
}

function withReading(hire: DeliveredHire, data: EventOf<typeof DeliveryRead>['data']): Hire {
  const { delivery, digest, outdated_for } = data;
  const checks = hire.delivery.ownChecks;
  return updateLatest(hire, delivery, { digest, ...(outdated_for && { checks, earlier: null }) });
}

function withRecheck(hire: DeliveredHire, { recheck, by, result, delivery }: EventOf<typeof Rechecked>['data']): Hire {
  const { checks, ownChecks } = hire.delivery;
  const recheckedBy = hire.recheckedBy.with(recheck, by);
  const added = { recheck, result };
  const change = { checks: addCheck(checks, by, added), ownChecks: addCheck(ownChecks, by, added) };
  return updateLatest({ ...hire, recheckedBy }, delivery, change);
}
