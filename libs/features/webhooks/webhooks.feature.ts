import { feature } from '#libs/endpoints/feature.js';
import { WebhookMatcher } from '#libs/webhooks/webhook-matcher.js';
import { WebhookDelivery } from '#libs/webhooks/delivery.js';
import { WebhookForms } from '#libs/webhooks/forms.js';
import { WebhookSecrets } from '#libs/webhooks/webhook-secrets.js';
import { StandardForm } from '#libs/webhooks/standard.form.js';
import { WebhookStatus } from '#libs/webhooks/webhook-status.js';
import { endWebhooks, stopWebhook, WebhookEndings } from '#libs/webhooks/webhook-endings.js';
import { WebhookOutbox } from '#libs/webhooks/webhook-outbox.js';
import { DeliveryBatch } from '#libs/webhooks/delivery-batch.js';
import { EndWebhooks } from './end-webhooks.js';
import { webhook } from './webhook.js';
import { WebhookFollowUp } from './webhook-follow-up.js';

export const webhooks = feature('webhooks', {
  commands: [webhook],
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
