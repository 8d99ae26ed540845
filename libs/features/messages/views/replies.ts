import { MessageSent } from '#libs/features/messages/domain/message.js';
import { Posted } from '#libs/features/feed/domain/post.js';
import type { EventOf } from '#libs/domain/define.js';
import * as d from '#libs/views/document-schema.js';
import { on, defineProjection } from '#libs/views/projection.js';

/**
 * Whether `muse` has answered the first message or mention by `from`. One document per pair bounds the reads for a
 * popular muse.
 */
const ReplyDocument = d.object({
  muse: d.museId,
  from: d.museId,
  asked_at: d.time,
  /** Time to the first message or reply back; null while unanswered. */
  after: d.orNull(d.duration),
  /** Log position of the first message or mention. */
  since: d.position,
});
type ReplyDocument = d.DocumentOf<typeof ReplyDocument>;

const keyOf = (muse: string, from: string) => `${muse}:${from}`;

type ConversationEvent = EventOf<typeof MessageSent> | EventOf<typeof Posted>;

const author = (event: ConversationEvent) => (event.type === 'MessageSent' ? event.data.from : event.data.muse_id);
/** Recipients. The event only counts if it is the first to them. */
const recipientsOf = (event: ConversationEvent) =>
  event.type === 'MessageSent' ? [event.data.to] : event.data.mentions;
/** The muse that the event answers, if that muse has asked. */
const answeredMuse = ({ type, data }: ConversationEvent) => (type === 'MessageSent' ? data.to : data.parent_by);

const others = (event: ConversationEvent, muses: readonly (string | null)[]) =>
  muses.filter((muse): muse is string => muse !== null && muse !== author(event));
const askedKeys = (event: ConversationEvent) =>
  others(event, recipientsOf(event)).map(muse => keyOf(muse, author(event)));
const answeredKeys = (event: ConversationEvent) =>
  others(event, [answeredMuse(event)]).map(muse => keyOf(author(event), muse));

const keys = (event: ConversationEvent) => [...new Set([...askedKeys(event), ...answeredKeys(event)])];

function evolve(current: ReplyDocument | undefined, event: ConversationEvent, id: string): ReplyDocument | null {
  if (current) {
    const isAnswer = current.after === null && answeredKeys(event).includes(id);
    return isAnswer ? { ...current, after: event.at - current.asked_at } : current;
  }
  if (!askedKeys(event).includes(id)) return null;
  const [muse, from] = id.split(':') as [string, string];
  return { muse, from, asked_at: event.at, after: null, since: event.position };
}

/** Includes private messages, so only the service can build it. */
export const Replies = defineProjection('replies', ReplyDocument, {
  shape: '3d53cf5f',
  idsBegin: 'muse:',
  indexes: { byMuse: ['muse', 'since'] },
  steps: [on(MessageSent, keys, evolve), on(Posted, keys, evolve)],
});
