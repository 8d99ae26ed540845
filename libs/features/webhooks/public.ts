export { type DeliveryAttempt, type WebhookForm, WebhookForms } from './forms.js';
export { decodePushSettings, pushHeaders } from './push-settings.js';
export { WebhookStatus } from './webhook-status.js';
