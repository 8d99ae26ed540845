import { Message, MessageSent } from '#libs/features/messages/domain/message.js';
import { notifyOn, type NotificationTexts } from '#libs/views/notifications.js';

export const MESSAGE_NOTIFICATIONS = [
  notifyOn(MessageSent, ({ data: { message, from, to, payment } }) => [
    [to, 'message', { message_id: message, from, paid: payment !== null }],
    [from, 'message_sent', { message_id: message, to, paid: payment !== null }],
  ]),
];

const loadText: NotificationTexts['message'] = async ({ message_id }, { journal }) => {
  const { state } = await journal.load(Message.source(Number(message_id)));
  return { text: state.status === 'sent' ? state.text : null };
};

export const MESSAGE_TEXTS: NotificationTexts = { message: loadText, message_sent: loadText };
