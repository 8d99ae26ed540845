import { Injectable } from '@nestjs/common';
import type { Reaction } from '#libs/documents/reactions.js';
import type { Event } from '#libs/kernel/event.js';
import { is } from '#libs/domain/define.js';
import { Linked } from '#libs/domain/link-events.js';
import { Forgotten, KeyBound, Suspended, TokenRevoked } from '#libs/domain/muse.js';
import { WebhookStopped } from '#libs/features/webhooks/domain/webhook.js';
import { WebhookSecrets } from '#libs/webhooks/secrets.js';
import { WebhookEndings } from '#libs/webhooks/stopping.js';

/** Ends the webhooks of a muse that lost its access, and destroys the secrets of every webhook that has stopped. */
@Injectable()
export class EndWithAccess implements Reaction {
  readonly name = 'end_webhooks';
  readonly types = [Forgotten.type, KeyBound.type, Linked.type, Suspended.type, TokenRevoked.type, WebhookStopped.type];

  constructor(
    private readonly endings: WebhookEndings,
    private readonly secrets: WebhookSecrets,
  ) {}

  react(event: Event): Promise<void> {
    if (is(WebhookStopped, event)) {
      const { muse_id: muse, webhook } = event.data;
      return this.secrets.destroyAll({ muse, webhook });
    }
    return this.endings.follow((event.data as { readonly muse_id: string }).muse_id, event);
  }
}
