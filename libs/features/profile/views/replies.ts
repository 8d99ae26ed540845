import { MessageSent } from '#libs/features/messages/domain/message.js';
import { Posted } from '#libs/features/feed/domain/post.js';
import type { EventOf } from '#libs/domain/define.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

/**
 * Whether `muse` has answered `from`, who wrote to it or mentioned it first at a time. A document for each two of them,
 * so that who is asked by many is read from few of them.
 */
export const ReplyDocument = d.object({
  muse: d.museId,
  from: d.museId,
  asked_at: d.time,
  /** From the first message or mention to the first message or reply back; null while there is none. */
  after: d.orNull(d.duration),
  /** Where the log holds the first message or mention. */
  since: d.position,
});
export type ReplyDocument = d.DocumentOf<typeof ReplyDocument>;

const keyOf = (muse: string, from: string) => `${muse}:${from}`;

type ConversationEvent = EventOf<typeof MessageSent> | EventOf<typeof Posted>;

const author = (event: ConversationEvent) => (event.type === 'MessageSent' ? event.data.from : event.data.muse_id);
/** Whom it is the first word to, unless there was one before. */
const askedBy = (event: ConversationEvent) => (event.type === 'MessageSent' ? [event.data.to] : event.data.mentions);
/** Whom it answers, if they have asked. */
const answeredBy = ({ type, data }: ConversationEvent) => (type === 'MessageSent' ? data.to : data.parent_by);

const others = (event: ConversationEvent, muses: readonly (string | null)[]) =>
  muses.filter((muse): muse is string => muse !== null && muse !== author(event));
const askedKeys = (event: ConversationEvent) => others(event, askedBy(event)).map(muse => keyOf(muse, author(event)));
const answeredKeys = (event: ConversationEvent) =>
  others(event, [answeredBy(event)]).map(muse => keyOf(author(event), muse));

const keys = (event: ConversationEvent) => [...new Set([...askedKeys(event), ...answeredKeys(event)])];

function evolve(before: ReplyDocument | undefined, event: ConversationEvent, id: string): ReplyDocument | null {
  if (before) {
    const answers = before.after === null && answeredKeys(event).includes(id);
    return answers ? { ...before, after: event.at - before.asked_at } : before;
  }
  if (!askedKeys(event).includes(id)) return null;
  const [muse, from] = id.split(':') as [string, string];
  return { muse, from, asked_at: event.at, after: null, since: event.position };
}

/** Who asked whom, and who answered. Messages are private: only the service can fold this whole. */
export const Replies = defineProjection<typeof ReplyDocument>({
  name: 'replies',
  version: 1,
  shape: '3d53cf5f',
  document: ReplyDocument,
  idsBegin: 'muse:',
  indexes: { byMuse: ['muse', 'since'] },
  steps: [on(MessageSent, keys, evolve), on(Posted, keys, evolve)],
});
