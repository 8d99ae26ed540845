import { MessageSent } from '#libs/features/messages/domain/message.js';
import { notifyOn } from '#libs/views/notifications.js';

export const MESSAGE_NOTIFICATIONS = [
  notifyOn(MessageSent, ({ data: { message, from, to, payment } }) => [
    [to, 'message', { message_id: message, from, paid: payment !== null }],
    [from, 'message_sent', { message_id: message, to, paid: payment !== null }],
  ]),
];
