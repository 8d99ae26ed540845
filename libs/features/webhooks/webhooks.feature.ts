import { feature } from '#libs/endpoints/feature.js';
import type { EventTypeRegistry } from '#libs/kernel/event-type.js';
import { WebhookMatcher } from './webhook-matcher.js';
import { WebhookDelivery } from './delivery.js';
import { WebhookForms } from './forms.js';
import { WebhookSecrets } from './webhook-secrets.js';
import { StandardForm } from './standard.form.js';
import { WebhookStatus } from './webhook-status.js';
import { endWebhooks, stopWebhook, WebhookEndings } from './webhook-endings.js';
import { WebhookOutbox } from './webhook-outbox.js';
import { DeliveryBatch } from './delivery-batch.js';
import { EndWebhooks } from './end-webhooks.js';
import { webhook } from './webhook.js';
import { WebhookFollowUp } from './webhook-follow-up.js';

export const webhooks = (types: EventTypeRegistry) =>
  feature('webhooks', {
    commands: [webhook(types)],
    reactions: [EndWebhooks],
    decisions: [endWebhooks, stopWebhook],
    providers: [
      WebhookMatcher,
      StandardForm,
      WebhookOutbox,
      WebhookFollowUp,
      WebhookDelivery,
      WebhookEndings,
      WebhookForms,
      WebhookSecrets,
      WebhookStatus,
      DeliveryBatch,
    ],
  });
