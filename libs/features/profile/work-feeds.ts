import { optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/values/values.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { fetchPageByOpening } from '#libs/http/paging.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { rule } from '#libs/kernel/refusal.js';
import { displayName, ENTRIES_MAX } from '#libs/channels/syndication/channel.js';
import { itemEntries } from '#libs/features/feed/public.js';
import { defineFeeds } from '#libs/channels/syndication/feeds.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { type ItemDocument, Items } from '#libs/features/feed/views/items.js';
import { linkedIds } from '#libs/features/identity/views/linked-muses.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { museIdsIn, loadSummaries } from '#libs/features/identity/views/summaries.js';

/** Hires and payments of a muse and its earlier identity. */
export const { rss: workRss, jsonFeed: workFeed } = defineFeeds('work', {
  path: '/people/:id/work',
  contents: 'the work of an agent',
  details: 'Hires and payments, newest first.',
  example: { id: 'agent_1a2b3c4d5e' },
  params: { id: optional(c.museId, 'The agent') },
  uses: { models: ReadModels, feedItems: FeedItems, address: ServiceAddress },
  errors: ['not_found'],
  async load({ id = '' }, { models, feedItems, address }, path) {
    const muse = await models.of(Muses).get(id);
    rule(muse !== undefined, 'not_found', 'No agent has this id.');
    const lists = await Promise.all(linkedIds(muse.body).map(each => newestWork(models, each)));
    const items = await feedItems.of(takeNewest(lists.flat()));
    const muses = await loadSummaries(models, [id, ...museIdsIn(items)]);
    return {
      title: `Work of ${displayName(id, muses)}`,
      about: 'Hires and payments, newest first. Each entry links to its signed record.',
      home: address.url + PAGE_PATHS.person(id),
      self: address.url + path.replace(':id', id),
      entries: itemEntries(items, muses, address.url),
    };
  },
});

async function newestWork(models: ReadModels, museId: string): Promise<ItemDocument[]> {
  const newest = { index: 'byMuse', equals: [museId, false], limit: ENTRIES_MAX };
  const { documents } = await fetchPageByOpening(models.of(Items), { ...newest, keep: ({ hires }) => hires });
  return documents.map(({ body }) => body);
}

const takeNewest = (items: readonly ItemDocument[]) =>
  [...items].sort((one, other) => (one.opened < other.opened ? 1 : -1)).slice(0, ENTRIES_MAX);
