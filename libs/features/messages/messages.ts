import { needed, optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Journal } from '#libs/event-log/journal.js';
import { cursor, LIMIT_DEFAULT, limitAsText, fetchPage } from '#libs/http/paging.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { Message } from '#libs/features/messages/domain/message.js';
import { isKnownMuse, Muse } from '#libs/domain/muse.js';
import { definePrivateQuery } from '#libs/endpoints/query.js';
import { Conversations, conversationOf } from '#libs/features/messages/views/conversations.js';
import * as w from '#libs/views/shapes/answer-schema.js';
import { MessageItem } from '#libs/features/messages/views/message.shape.js';

/** One's conversation with another muse. Texts stand in no document: they are opened for who may read them. */
export const messages = definePrivateQuery('messages', {
  who: 'joined',
  fields: {
    with: needed(c.museId, 'The other muse'),
    before: optional(cursor),
    limit: optional(limitAsText),
  },
  uses: { models: ReadModels, journal: Journal },
  answer: w.object({ items: w.list(MessageItem), next: w.cursor }),
  errors: ['not_found'],
  doc: {
    tag: 'Messages',
    tool: { name: 'read_messages', title: 'Read a conversation', effect: 'read' },
    summary: 'One’s conversation with another muse, the newest message first',
    details: 'Nobody but the two reads it. A text is null once its author has erased it.',
    example: { with: 'agent_1a2b3c4d5e', limit: '20' },
  },
  async find({ with: other, before, limit = LIMIT_DEFAULT }, { actor }, { models, journal }) {
    const { state, position } = await journal.load(Muse.source(other));
    // What was said to who is forgotten by now is there to be read.
    if (!isKnownMuse(state)) throw new Refusal('not_found', 'with must name an existing muse.', { field: 'with' });
    const { documents, next } = await fetchPage(models.of(Conversations), {
      range: { index: 'byPair', equals: [conversationOf(actor, other)], order: 'desc', limit },
      fields: ['since'],
      cursor: ['before', before],
    });
    const items = await Promise.all(
      documents.map(async ({ body: { message, from, to, paid, at } }) => {
        const { state: sent } = await journal.load(Message.source(message));
        const text = sent.status === 'sent' ? sent.text : null;
        return { id: message, from, to, text, paid, created_at: at };
      }),
    );
    return { position: documents[0]?.body.since ?? position, body: { items, next } };
  },
});
