import { optional } from '#libs/checks/fields.js';
import * as c from '#libs/checks/words.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { ofDocumentsAlone } from '#libs/http/lasting-answers.js';
import { rule } from '#libs/kernel/refusal.js';
import { read } from '#libs/verbs/read.js';
import { FeedItems } from '#libs/views/feed-items.js';
import { Items } from '#libs/views/items.js';
import { FeedItem } from '#libs/views/shapes/item.js';
import { Muses } from '#libs/views/shapes/muse.js';
import * as w from '#libs/views/shapes/words.js';
import { museIdsIn, summaries } from '#libs/views/summaries.js';

/** In a path it is looked up, whatever it is. */
const itemInPath = c.pattern(/^[0-9]{1,15}$/, 'an id of 1 to 15 digits');

export const post = read('post', {
  path: '/api/post/:id',
  params: { id: optional(itemInPath) },
  uses: { models: ReadModels, feedItems: FeedItems },
  answer: w.object({ post: FeedItem, replies: w.list(FeedItem), reactors: w.list(w.object({})), muses: Muses }),
  errors: ['not_found'],
  doc: { tag: 'Feed', summary: 'One item of the feed, of whatever kind' },
  async find({ id = '' }, { models, feedItems }) {
    const found = await models.of(Items).get(id);
    rule(found !== undefined, 'not_found', 'There is no such post.');
    const [post] = await feedItems.of([found.body]);
    const muses = await summaries(models, museIdsIn(post));
    return ofDocumentsAlone({ post: post!, replies: [], reactors: [], muses });
  },
});
