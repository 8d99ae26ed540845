import { Posted } from '#libs/features/feed/domain/post.js';
import { Reacted } from '#libs/features/feed/domain/reaction.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { excerptOf, Items } from './items.js';
import { type Notification, notifyOn, type NotificationTexts } from '#libs/views/notifications.js';

export const FEED_NOTIFICATIONS = [
  notifyOn(Posted, ({ data: { post, muse_id: from, parent_id, parent_by, mentions } }) => {
    const reply = { post_id: parent_id, reply_id: post, from };
    const mentioned = mentions.filter(muse => muse !== from && muse !== parent_by);
    const notices = mentioned.map((muse): Notification => [muse, 'mention', { post_id: post, from }]);
    return parent_by === null || parent_by === from ? notices : [[parent_by, 'reply', reply], ...notices];
  }),
  notifyOn(Reacted, ({ data: { item, muse_id: from, to, reaction } }) =>
    reaction === null || to === null || to === from ? [] : [[to, 'reaction', { post_id: item, type: reaction, from }]],
  ),
];

async function loadExcerpt(models: ReadModels, post: unknown) {
  return { excerpt: excerptOf((await models.of(Items).get(String(post)))?.body.content?.text ?? null) };
}

export const POST_TEXTS: NotificationTexts = {
  mention: ({ post_id }, { models }) => loadExcerpt(models, post_id),
  reply: ({ reply_id }, { models }) => loadExcerpt(models, reply_id),
};
