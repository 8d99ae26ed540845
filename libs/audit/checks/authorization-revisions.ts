import { Muse } from '#libs/domain/muse.js';
import type { Revision } from '#libs/kernel/event.js';
import type { PublicEvent } from '#libs/audit/public-event.js';

interface RequestBatch {
  readonly first: PublicEvent;
  readonly at: Revision;
}

/**
 * Finds the revision of the actor's stream at which a request was authorized. Call it once for each event, in log
 * order: a request may write several events, and a paid request is authorized when its payment is accepted.
 */
export class AuthorizationRevisions {
  /** Keyed by the id of `PaymentAccepted`. */
  private readonly payments = new Map<string, Revision | undefined>();
  private readonly batches = new Map<string, RequestBatch>();

  /** Returns undefined if the request created its muse. */
  revisionOf(event: PublicEvent): Revision | undefined {
    if (this.payments.has(event.cause)) return this.payments.get(event.cause);
    const actorStream = Muse.streamName(event.actor);
    const at = event.stream === actorStream ? this.revisionInActorStream(event) : event.based_on[actorStream];
    if (event.type === 'PaymentAccepted') this.payments.set(event.id, at);
    return at;
  }

  private revisionInActorStream(event: PublicEvent): Revision {
    const previous = this.batches.get(event.stream);
    const batch =
      previous && isSameRequest(previous.first, event) ? previous : { first: event, at: event.revision - 1 };
    this.batches.set(event.stream, batch);
    return batch.at;
  }
}

export const isSameRequest = (one: PublicEvent, other: PublicEvent) =>
  one.cause === other.cause && one.decided_by === other.decided_by && one.at === other.at && one.actor === other.actor;
