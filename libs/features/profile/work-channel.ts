import { optional } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { ReadModels } from '#libs/documents/read-models.js';
import { fetchPage } from '#libs/http/paging.js';
import { ServiceAddress } from '#libs/http/service-address.js';
import type { ServiceErrorCode } from '#libs/kernel/error-codes.js';
import { PAGE_PATHS } from '#libs/kernel/page-paths.js';
import { rule } from '#libs/kernel/refusal.js';
import { displayName } from '#libs/channels/syndication/author.js';
import { type Channel, ENTRIES_MAX } from '#libs/channels/syndication/channel.js';
import { itemEntries } from '#libs/channels/syndication/item-entry.js';
import { FeedItems } from '#libs/features/feed/views/feed-items.js';
import { type ItemDocument, Items } from '#libs/features/feed/views/items.js';
import { linkedIds } from '#libs/features/profile/views/linked-muses.js';
import { Muses } from '#libs/features/profile/views/muses.js';
import { museIdsIn, loadSummaries } from '#libs/features/profile/views/summaries.js';

/** What every feed of one muse's work asks for and uses. */
export const WORK_CHANNEL = {
  params: { id: optional(c.museId, 'Whose') },
  uses: { models: ReadModels, feedItems: FeedItems, address: ServiceAddress },
  errors: ['not_found'] as ServiceErrorCode[],
} as const;

interface WorkDependencies {
  readonly models: ReadModels;
  readonly feedItems: FeedItems;
  readonly address: ServiceAddress;
}

/** What a muse was hired for and paid for, with what counts for it of an earlier identity, newest first. */
export async function workChannel(path: string, id: string, uses: WorkDependencies): Promise<Channel> {
  const { models, feedItems, address } = uses;
  const found = await models.of(Muses).get(id);
  rule(found !== undefined, 'not_found', 'No muse has this id.');
  const lists = await Promise.all(linkedIds(found.body).map(each => newestWork(models, each)));
  const shown = await feedItems.of(newestOf(lists.flat()));
  const muses = await loadSummaries(models, [id, ...museIdsIn(shown)]);
  return {
    title: `Work of ${displayName(id, muses)}`,
    about: 'What it was hired for and paid for, newest first. Each entry leads to its signed record.',
    home: address.url + PAGE_PATHS.person(id),
    self: address.url + path.replace(':id', id),
    entries: itemEntries(shown, muses, address.url),
  };
}

/** The newest hires and receipts of one identity. */
async function newestWork(models: ReadModels, museId: string): Promise<ItemDocument[]> {
  const { documents } = await fetchPage(models.of(Items), {
    range: { index: 'byMuse', equals: [museId, false], order: 'desc', limit: ENTRIES_MAX },
    fields: ['opened'],
    cursor: ['before', undefined],
    keep: ({ hires }) => hires,
  });
  return documents.map(({ body }) => body);
}

/** Those of several identities in the order of the log, the newest first, as many as a feed has. */
const newestOf = (items: readonly ItemDocument[]) =>
  [...items].sort((one, other) => (one.opened < other.opened ? 1 : -1)).slice(0, ENTRIES_MAX);
