import { MessageSent } from '#libs/features/messages/domain/message.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

/** One message between two muses. Its text stands in no document: who may read it takes it from the log. */
export const ConversationDocument = d.object({
  message: d.id,
  /** Both, in the order of their ids. */
  between: d.text,
  from: d.museId,
  to: d.museId,
  paid: d.flag,
  at: d.time,
  since: d.position,
});
export type ConversationDocument = d.DocumentOf<typeof ConversationDocument>;

/** What a conversation is called, whoever asks for it. */
export const conversationOf = (one: string, other: string) => [one, other].sort().join(':');

/** Who wrote to whom. */
export const Conversations = defineProjection<typeof ConversationDocument>({
  name: 'conversations',
  version: 1,
  shape: '6aa0515d',
  document: ConversationDocument,
  idsBegin: 'between/',
  indexes: { byPair: ['between', 'since'] },
  steps: [
    on(
      MessageSent,
      ({ data: { from, to, message } }) => [`${conversationOf(from, to)}/${message}`],
      (document, { data: { message, from, to, payment }, at, position }) =>
        // A message is what opened its stream first.
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
