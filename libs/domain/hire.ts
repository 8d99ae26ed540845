import type { EventOf } from '#libs/events/define.js';
import type * as events from '#libs/events/hire.js';
import type { Entity } from '#libs/kernel/decide.js';
import type { Event } from '#libs/kernel/event.js';

export type HiredData = EventOf<typeof events.Hired>['data'];
export type RecheckResult = EventOf<typeof events.Rechecked>['data']['result'];

/** What one muse said of the latest delivery. */
export interface Recheck {
  readonly recheck: number;
  readonly by: string;
  readonly result: RecheckResult;
}

/** One version of what was delivered. `digest` is undefined until the service has read it, null where it could not. */
export interface Delivery {
  readonly delivery: number;
  readonly url: string | null;
  readonly at: number;
  readonly event: string;
  readonly digest?: string | null;
  /** What its address answers now, where that is something else; null while it matches. */
  readonly drifted: string | null;
  readonly rechecks: readonly Recheck[];
}

export interface Acceptance {
  readonly at: number;
  readonly by: string;
  readonly note: string | null;
  readonly positive: boolean;
}

interface Made extends HiredData {
  /** Who disputes the hire, while somebody does. */
  readonly dispute: { readonly by: string; readonly reason: string | null; readonly at: number } | null;
  /** Every recheck there ever was, of every version: what can be replied to. */
  readonly recheckIds: readonly number[];
}

interface WithDelivery extends Made {
  readonly delivery: Delivery;
  readonly acceptance: Acceptance | null;
}

/** A hire, as its stream `hire-<id>` says. */
export type Hire =
  | { readonly status: 'unknown' }
  | (Made & { readonly status: 'hired' })
  | (Made & { readonly status: 'ended'; readonly ended: EventOf<typeof events.HireEnded> })
  | (WithDelivery & { readonly status: 'delivered' })
  | (WithDelivery & { readonly status: 'paid'; readonly paid: EventOf<typeof events.Paid> });

export type KnownHire = Exclude<Hire, { status: 'unknown' }>;
export type DeliveredHire = Extract<Hire, { delivery: Delivery }>;

type HireEvent = { [K in keyof typeof events]: EventOf<(typeof events)[K]> }[keyof typeof events];

export const Hire: Entity<Hire> = {
  initial: { status: 'unknown' },
  evolve(state, raw: Event): Hire {
    const event = raw as HireEvent;
    if (event.type === 'Hired') return { ...event.data, status: 'hired', dispute: null, recheckIds: [] };
    if (state.status === 'unknown') return state;
    switch (event.type) {
      case 'Delivered':
        return delivered(state, event);
      case 'DeliveryRead':
      case 'DeliveryDrifted':
      case 'DeliveryMatches':
      case 'Rechecked':
      case 'RecheckReplied':
      case 'Accepted':
      case 'Paid':
        return hasDelivery(state) ? ofDelivery(state, event) : state;
      case 'Disputed':
        return { ...state, dispute: { by: event.data.by, reason: event.data.reason, at: event.at } };
      case 'DisputeWithdrawn':
        return { ...state, dispute: null };
      case 'HireEnded':
        return state.status === 'hired' ? { ...state, status: 'ended', ended: event } : state;
      default:
        event satisfies never;
        return state;
    }
  },
};

export const hasDelivery = (hire: Hire): hire is DeliveredHire => hire.status === 'delivered' || hire.status === 'paid';

function delivered(hire: KnownHire, { data, at, id }: EventOf<typeof events.Delivered>): Hire {
  const delivery = { delivery: data.delivery, url: data.url, at, event: id, drifted: null, rechecks: [] };
  const { dispute, recheckIds } = hire;
  if (hire.status === 'paid') return { ...hire, delivery };
  return { ...hire, dispute, recheckIds, status: 'delivered', delivery, acceptance: null };
}

type OfDelivery = Exclude<HireEvent, { type: 'Hired' | 'Delivered' | 'Disputed' | 'DisputeWithdrawn' | 'HireEnded' }>;

function ofDelivery(hire: DeliveredHire, event: OfDelivery): Hire {
  switch (event.type) {
    case 'DeliveryRead':
      return latest(hire, event.data.delivery, { digest: event.data.digest });
    case 'DeliveryDrifted':
      return latest(hire, event.data.delivery, { drifted: event.data.digest });
    case 'DeliveryMatches':
      return latest(hire, event.data.delivery, { drifted: null });
    case 'Rechecked':
      return rechecked(hire, event.data);
    case 'RecheckReplied':
      return hire;
    case 'Accepted': {
      const { by, note, positive } = event.data;
      return { ...hire, acceptance: { at: event.at, by, note, positive } };
    }
    case 'Paid':
      return { ...hire, status: 'paid', paid: event };
    default:
      event satisfies never;
      return hire;
  }
}

/** A change of the latest version; what is said of an older one changes nothing any more. */
function latest(hire: DeliveredHire, version: number, change: Partial<Delivery>): Hire {
  return hire.delivery.delivery === version ? { ...hire, delivery: { ...hire.delivery, ...change } } : hire;
}

function rechecked(
  hire: DeliveredHire,
  { recheck, by, result, delivery }: EventOf<typeof events.Rechecked>['data'],
): Hire {
  const others = hire.delivery.rechecks.filter(each => each.by !== by);
  const recheckIds = [...new Set([...hire.recheckIds, recheck])];
  return latest({ ...hire, recheckIds }, delivery, { rechecks: [...others, { recheck, by, result }] });
}
