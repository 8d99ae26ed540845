import type { EventOf } from '#libs/events/define.js';
import type { Delivered, DeliveryDrifted, DeliveryMatches, DeliveryRead, Hired, Paid } from '#libs/events/hire.js';
import type { Entity } from '#libs/kernel/decide.js';
import type { Event } from '#libs/kernel/event.js';

export type HiredData = EventOf<typeof Hired>['data'];

/** One version of what was delivered. `digest` is undefined until the service has read it, null where it could not. */
export interface Delivery {
  readonly delivery: number;
  readonly url: string | null;
  readonly at: number;
  readonly event: string;
  readonly digest?: string | null;
  /** What its address answers now, where that is something else; null while it matches. */
  readonly drifted: string | null;
}

/** A hire, as its stream `hire-<id>` says. */
export type Hire =
  | { readonly status: 'unknown' }
  | (HiredData & { readonly status: 'hired' })
  | (HiredData & { readonly status: 'delivered'; readonly delivery: Delivery })
  | (HiredData & { readonly status: 'paid'; readonly delivery: Delivery; readonly paid: EventOf<typeof Paid> });

type HireEvent =
  | EventOf<typeof DeliveryDrifted>
  | EventOf<typeof DeliveryMatches>
  | EventOf<typeof Hired>
  | EventOf<typeof Delivered>
  | EventOf<typeof DeliveryRead>
  | EventOf<typeof Paid>;

export const Hire: Entity<Hire> = {
  initial: { status: 'unknown' },
  evolve(state, raw: Event): Hire {
    const event = raw as HireEvent;
    if (event.type === 'Hired') return { ...event.data, status: 'hired' };
    if (state.status === 'unknown') return state;
    switch (event.type) {
      case 'Delivered': {
        const { delivery, url } = event.data;
        return {
          ...state,
          status: 'delivered',
          delivery: { delivery, url, at: event.at, event: event.id, drifted: null },
        };
      }
      case 'DeliveryRead':
        if (state.status === 'hired' || state.delivery.delivery !== event.data.delivery) return state;
        return { ...state, delivery: { ...state.delivery, digest: event.data.digest } };
      case 'DeliveryDrifted':
      case 'DeliveryMatches':
        if (state.status === 'hired' || state.delivery.delivery !== event.data.delivery) return state;
        return {
          ...state,
          delivery: { ...state.delivery, drifted: event.type === 'DeliveryDrifted' ? event.data.digest : null },
        };
      case 'Paid':
        return state.status === 'delivered' ? { ...state, status: 'paid', paid: event } : state;
      default:
        event satisfies never;
        return state;
    }
  },
};
