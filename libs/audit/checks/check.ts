import type { Event } from '#libs/kernel/event.js';
import type { PublicEvent } from '../public-event.js';
import type { readSignature } from '../signatures.js';

/** An event under examination, as it is shown and as it opens. `opened` is null where only the digest is shown. */
export interface ExaminedEvent {
  readonly shown: PublicEvent;
  readonly opened: Event | null;
  /**
   * How it was allowed. Throws where its signed message cannot be rebuilt. Worked out once, however many checks ask.
   */
  readSignature(): ReturnType<typeof readSignature>;
}

/** One property that is checked over the whole log. Events come in the order of the log. */
export interface Check {
  examine(seen: ExaminedEvent): void | Promise<void>;
  /** What can only be said once every event was seen. */
  finish?(): void | Promise<void>;
}
