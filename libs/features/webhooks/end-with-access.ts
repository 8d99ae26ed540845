import { Injectable } from '@nestjs/common';
import type { Reaction } from '#libs/documents/reactions.js';
import type { Event } from '#libs/kernel/event.js';
import { Linked } from '#libs/streams/link-events.js';
import { Forgotten, KeyBound, Suspended, TokenRevoked } from '#libs/streams/muse.js';
import { WebhookEndings } from '#libs/webhooks/stopping.js';

/**
 * Says of webhooks that they have ended with what they were set up with. Whoever delivers looks at that itself before
 * each message: nothing is told meanwhile.
 */
@Injectable()
export class EndWithAccess implements Reaction {
  readonly name = 'end_webhooks';
  readonly types = [Forgotten.type, KeyBound.type, Linked.type, Suspended.type, TokenRevoked.type];

  constructor(private readonly endings: WebhookEndings) {}

  react(event: Event): Promise<void> {
    return this.endings.follow((event.data as { readonly muse_id: string }).muse_id, event);
  }
}
