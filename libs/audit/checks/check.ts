import type { Event } from '#libs/kernel/event.js';
import type { PublicEvent } from '#libs/audit/public-event.js';
import type { readSignature } from '#libs/audit/signatures.js';

/** `opened` is null if only the digest is shown. */
export interface ExaminedEvent {
  readonly shown: PublicEvent;
  readonly opened: Event | null;
  /** Cached. Throws if the signed message cannot be rebuilt. */
  readSignature(): ReturnType<typeof readSignature>;
}

/** Checks one property of the whole log. Events arrive in log order. */
export interface Check {
  examine(event: ExaminedEvent): void | Promise<void>;
  finish?(): void | Promise<void>;
}
