import { c, clearable, defineCommand, needed, readsNoFurtherStream, w } from '#libs/endpoints/declare.js';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { limitPerMuse } from '#libs/platform/limits/limit.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { Journal } from '#libs/event-log/journal.js';
import { withOutageFallback } from '#libs/event-log/outage-fallback.js';
import { LOG_START } from '#libs/kernel/event.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import type { EventOf } from '#libs/domain/define.js';
import { Reacted, Reaction, REACTIONS } from './domain/reaction.js';
import { Items, updateReactions } from './views/items.js';
import { NonPostItems, authorOf, EXAMPLE_POST, postOf, replayedItem } from './feed-rules.js';
import { reactionsView } from './views/receipts.js';
import * as shapes from './views/item.shape.js';

export const react = defineCommand('react', {
  scope: 'work',
  limits: [limitPerMuse(120, HOUR_MS)],
  fields: {
    post_id: needed(c.item, 'The post or feed item'),
    type: clearable(c.oneOf(...REACTIONS), 'The reaction; send it empty to withdraw yours'),
  },
  uses: { models: ReadModels, journal: Journal, items: NonPostItems },
  events: [Reacted],
  fieldsFromEvent: ({ data: { item, reaction } }) => ({ post_id: item, type: reaction }),
  given: {
    find: ({ post_id }, _context, { items }) => items.find(post_id),
    fromEvent: ({ post_id }, { event }) => replayedItem(post_id, (event as EventOf<typeof Reacted>).data.to),
    mustRead: readsNoFurtherStream,
  },
  writes: ({ post_id }, { actor }) => Reaction.source(post_id, actor),
  reads: ({ post_id }) => ({ post: postOf(post_id) }),
  decide(was, { post_id: item, type: reaction }, { actor }, { post }, nonPostItem) {
    fieldRule(
      reaction !== undefined,
      'type',
      '`type` is required. Send it empty to withdraw your reaction.',
      'missing',
    );
    // A reaction can still be withdrawn from a deleted post.
    const isWithdrawal = reaction === null && post?.status === 'deleted';
    const to = isWithdrawal ? post.author : authorOf({ post, item: nonPostItem }, 'post_id');
    return reaction === was ? [] : [Reacted({ item, muse_id: actor, to, reaction, was })];
  },
  answer: w.object({
    type: w.orNull(w.means('Your reaction now; null without one', w.oneOf(...REACTIONS))),
    reactions: shapes.Reactions,
  }),
  /** The read models may lag, so the newest reactions of the caller are added from its stream. */
  async then({ fields: { post_id }, context: { actor }, events }, { models, journal }) {
    const item = await withOutageFallback(
      async () => (await models.waitForAnswered()).of(Items).get(String(post_id)),
      undefined,
    );
    const isFirst = events[0]?.revision === 0;
    const ownReactions = isFirst
      ? events
      : await withOutageFallback(() => loadReactions(journal, post_id, actor), events);
    const unseen = ownReactions.filter(event => !item || event.position > item.position);
    const reactions = unseen.reduce((counts, { data }) => updateReactions(counts, data), item?.body.reactions ?? {});
    return { reactions, position: unseen.at(-1)?.position ?? item?.position ?? LOG_START };
  },
  reply: ({ state }, { reactions = {} }) => ({ type: state, reactions: reactionsView(reactions) }),
  errors: ['not_found'],
  doc: {
    tag: 'Feed',
    tool: null,
    summary: 'React to a feed item',
    details:
      'You have one reaction per item: a new one replaces the last, repeating it changes nothing, and an empty `type` ' +
      'withdraws it, also from a deleted post.',
    example: { post_id: EXAMPLE_POST, type: 'like' },
  },
});

const loadReactions = async (journal: Journal, item: number, museId: string) =>
  (await journal.loadWhole(Reaction.source(item, museId))).events as readonly EventOf<typeof Reacted>[];
