import type { Event } from '#libs/kernel/event.js';

/** Takes back the open request to connect of an agent that blocks another one. */
export abstract class SentRequests {
  abstract react(blockOrRequest: Event): Promise<void>;
}
