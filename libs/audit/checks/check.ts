import type { Event } from '#libs/kernel/event.js';
import type { PublicEvent } from '../public-event.js';

/** An event that is looked at: as it is shown, and opened; `opened` is null where nothing but the digest is shown. */
export interface Seen {
  readonly shown: PublicEvent;
  readonly opened: Event | null;
}

/** One thing that is looked at over the whole log. Events come in the log's order. */
export interface Check {
  take(seen: Seen): void | Promise<void>;
  /** What can only be said once every event was seen. */
  end?(): void | Promise<void>;
}
