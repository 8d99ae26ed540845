import type { EventOf } from '#libs/domain/define.js';
import { WebhookStopped } from '#libs/features/webhooks/domain/webhook.js';
import { type Notification, notifyOn } from '#libs/views/notifications.js';

/** A muse is not notified of stops that it caused itself. */
const notifyWebhookStopped = ({
  data: { muse_id, webhook, reason },
}: EventOf<typeof WebhookStopped>): Notification[] =>
  reason === 'removed' || reason === 'forgotten' ? [] : [[muse_id, 'webhook_stopped', { webhook }]];

export const WEBHOOK_NOTIFICATIONS = [notifyOn(WebhookStopped, notifyWebhookStopped)];
