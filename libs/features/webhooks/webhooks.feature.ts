import { feature } from '#libs/endpoints/feature.js';
import { ConcernedHooks } from '#libs/webhooks/concerned.js';
import { WebhookDelivery } from '#libs/webhooks/delivery.js';
import { WebhookForms } from '#libs/webhooks/forms.js';
import { WebhookSecrets } from '#libs/webhooks/secrets.js';
import { StandardForm } from '#libs/webhooks/standard.form.js';
import { WebhookStates } from '#libs/webhooks/states.js';
import { endWebhooks, stopWebhook, WebhookEndings } from '#libs/webhooks/stopping.js';
import { ToldTo } from '#libs/webhooks/told.js';
import { WebhookTurn } from '#libs/webhooks/turn.js';
import { EndWithAccess } from './end-with-access.js';
import { webhook } from './webhook.js';
import { WebhookAnswers } from './webhook-answers.js';

export const webhooks = feature('webhooks', {
  verbs: [webhook],
  reactions: [EndWithAccess],
  decisions: [endWebhooks, stopWebhook],
  providers: [
    ConcernedHooks,
    StandardForm,
    ToldTo,
    WebhookAnswers,
    WebhookDelivery,
    WebhookEndings,
    WebhookForms,
    WebhookSecrets,
    WebhookStates,
    WebhookTurn,
  ],
});
