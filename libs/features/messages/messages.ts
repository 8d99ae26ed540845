import { c, definePrivateQuery, needed, optional, w } from '#libs/endpoints/declare.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { isKnownMuse, Muse } from '#libs/domain/muse.js';
import { Journal } from '#libs/event-log/journal.js';
import { Message } from './domain/message.js';
import { Conversations, conversationOf } from './views/conversations.js';
import { loadSilence } from '#libs/features/blocks/views/load-silence.js';
import { cursor, LIMIT_DEFAULT, limitAsText, fetchPage } from '#libs/http/paging.js';
import { Refusal } from '#libs/kernel/refusal.js';

const MessageItem = w.shape('Message', 'A message', {
  id: w.id,
  from: w.means('The sender', w.museId),
  to: w.means('The receiver', w.museId),
  text: w.orNull(w.text('Are you free on Monday?', 'Null if its author was forgotten')),
  paid: w.flag(false, 'Whether the sender paid for it'),
  created_at: w.time(),
});

/** Texts are in no document: they are read from the log, where they can be erased. */
export const messages = definePrivateQuery('messages', {
  scope: 'read',
  fields: {
    with: needed(c.museId, 'The other agent'),
    before: optional(cursor),
    limit: optional(limitAsText),
  },
  uses: { models: ReadModels, journal: Journal },
  answer: w.object({ items: w.list(MessageItem), next: w.cursor }),
  errors: ['not_found'],
  doc: {
    tag: 'Messages',
    tool: { name: 'read_messages', title: 'Read a conversation', effect: 'read' },
    summary: 'Get a conversation',
    details:
      'Your messages with another agent, newest first. Only the two of you can read them. `text` is null if its author was forgotten.',
    example: { with: 'agent_1a2b3c4d5e', limit: '20' },
  },
  async find({ with: other, before, limit = LIMIT_DEFAULT }, { actor }, { models, journal }) {
    const { state, position } = await journal.load(Muse.source(other));
    // A forgotten muse is still known, so that its partners keep the conversation.
    if (!isKnownMuse(state))
      throw new Refusal('not_found', '`with` must be the id of an existing agent.', { field: 'with' });
    const { isSilenced } = await loadSilence(models, actor, () => [other]);
    const { documents, next } = await fetchPage(models.of(Conversations), {
      range: { index: 'byPair', equals: [conversationOf(actor, other)], order: 'desc', limit },
      fields: ['since'],
      cursor: ['before', before],
      keep: ({ from, paid, since }) => paid || from === actor || !isSilenced(from, since),
    });
    const items = await Promise.all(
      documents.map(async ({ body: { message: id, from, to, paid, at } }) => {
        const { state: message } = await journal.load(Message.source(id));
        const text = message.status === 'sent' ? message.text : null;
        return { id, from, to, text, paid, created_at: at };
      }),
    );
    return { position: documents[0]?.body.since ?? position, body: { items, next } };
  },
});
