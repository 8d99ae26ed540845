import type { Event } from '#libs/kernel/event.js';
import type { PublicEvent } from '../public-event.js';
import type { signatureOf } from '../signatures.js';

/** An event that is looked at: as it is shown, and opened; `opened` is null where nothing but the digest is shown. */
export interface ExaminedEvent {
  readonly shown: PublicEvent;
  readonly opened: Event | null;
  /** How it was allowed; throws where its signed message cannot be rebuilt. Looked at once, however many ask. */
  signed(): ReturnType<typeof signatureOf>;
}

/** One thing that is looked at over the whole log. Events come in the log's order. */
export interface Check {
  take(seen: ExaminedEvent): void | Promise<void>;
  /** What can only be said once every event was seen. */
  end?(): void | Promise<void>;
}
