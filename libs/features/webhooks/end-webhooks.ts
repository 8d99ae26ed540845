import { Injectable } from '@nestjs/common';
import type { Reaction } from '#libs/documents/reaction-runner.js';
import type { Event } from '#libs/kernel/event.js';
import { isEventOf } from '#libs/domain/define.js';
import { Forgotten, KeyBound, Linked, Suspended, TokenRevoked } from '#libs/domain/muse.js';
import { WebhookStopped } from './domain/webhook.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { WebhookEndings } from './webhook-endings.js';

/** Ends the webhooks of a muse that lost its access, and destroys the secrets of every webhook that has stopped. */
@Injectable()
export class EndWebhooks implements Reaction {
  readonly name = 'end_webhooks';
  readonly types = [Forgotten.type, KeyBound.type, Linked.type, Suspended.type, TokenRevoked.type, WebhookStopped.type];

  constructor(
    private readonly endings: WebhookEndings,
    private readonly secrets: WebhookSecrets,
  ) {}

  react(event: Event): Promise<void> {
    if (isEventOf(WebhookStopped, event)) {
      const { muse_id: muse, webhook } = event.data;
      return this.secrets.destroyAll({ muse, webhook });
    }
    return this.endings.stopEnded((event.data as { readonly muse_id: string }).muse_id, event);
  }
}
