import { MessageSent } from '#libs/features/messages/domain/message.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

/** Has no text: readers take it from the log, where it can be erased. */
const ConversationDocument = d.object({
  message: d.id,
  /** Both ids, sorted and joined. */
  between: d.text,
  from: d.museId,
  to: d.museId,
  paid: d.flag,
  at: d.time,
  since: d.position,
});

export const conversationOf = (one: string, other: string) => [one, other].sort().join(':');

export const Conversations = defineProjection('conversations', ConversationDocument, {
  shape: '6aa0515d',
  idsBegin: 'between/',
  indexes: { byPair: ['between', 'since'] },
  steps: [
    on(
      MessageSent,
      ({ data: { from, to, message } }) => [`${conversationOf(from, to)}/${message}`],
      (document, { data: { message, from, to, payment }, at, position }) =>
        document ?? {
          message,
          between: conversationOf(from, to),
          from,
          to,
          paid: payment !== null,
          at,
          since: position,
        },
    ),
  ],
});
