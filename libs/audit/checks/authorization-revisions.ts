import { Muse } from '#libs/domain/muse.js';
import type { Revision } from '#libs/kernel/event.js';
import type { PublicEvent } from '../public-event.js';

/** The events that one request writes one after the other into its actor's own stream. */
interface RequestBatch {
  readonly first: PublicEvent;
  readonly at: Revision;
}

/**
 * At which revision of its actor's own stream a request was authorized: before everything that it wrote there itself,
 * and, where it was paid for, when its payment was accepted. To be asked once for each event, in the order of the log.
 */
export class AuthorizationRevisions {
  /** By the id of what accepted them. */
  private readonly payments = new Map<string, Revision | undefined>();
  private readonly batches = new Map<string, RequestBatch>();

  /** Undefined where the event does not say it: the request made its muse. */
  revisionOf(event: PublicEvent): Revision | undefined {
    if (this.payments.has(event.cause)) return this.payments.get(event.cause);
    const own = Muse.streamName(event.actor);
    const at = event.stream === own ? this.inOwnStream(event) : event.based_on[own];
    if (event.type === 'PaymentAccepted') this.payments.set(event.id, at);
    return at;
  }

  private inOwnStream(event: PublicEvent): Revision {
    const before = this.batches.get(event.stream);
    const batch = before && isSameRequest(before.first, event) ? before : { first: event, at: event.revision - 1 };
    this.batches.set(event.stream, batch);
    return batch.at;
  }
}

/** Whether two events of a stream were written by one request. */
export const isSameRequest = (one: PublicEvent, other: PublicEvent) =>
  one.cause === other.cause && one.decided_by === other.decided_by && one.at === other.at && one.actor === other.actor;
