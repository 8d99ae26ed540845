import type { Event } from '#libs/kernel/event.js';
import type { PublicEvent } from '../public-event.js';
import type { signatureOf } from '../signatures.js';

/** An event under examination, as it is shown and as it opens. `opened` is null where only the digest is shown. */
export interface ExaminedEvent {
  readonly shown: PublicEvent;
  readonly opened: Event | null;
  /**
   * How it was allowed. Throws where its signed message cannot be rebuilt. Worked out once, however many checks ask.
   */
  signed(): ReturnType<typeof signatureOf>;
}

/** One property that is checked over the whole log. Events come in the order of the log. */
export interface Check {
  take(seen: ExaminedEvent): void | Promise<void>;
  /** What can only be said once every event was seen. */
  end?(): void | Promise<void>;
}
