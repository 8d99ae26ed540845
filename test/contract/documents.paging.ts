import { expect, test } from '@jest/globals';
import { fold } from '#libs/documents/fold.js';
import type { Collection, DocumentStore } from '#libs/documents/document-store.port.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { loadFeedPage, type FeedFilters } from '#libs/features/feed/feed-page.js';
import type { Event } from '#libs/kernel/event.js';
import { Items } from '#libs/features/feed/views/items.js';
import { PostTags } from '#libs/features/feed/views/post-tags.js';
import type { DeclaredProjection } from '#libs/views/projection.js';
import { storyEvents } from '../vectors/event-samples.js';
import type { Open } from './adapters.js';
import { at, NOW, TTL_MS } from './documents.samples.js';

const BEFORE = 300;
const INSERTED = 1_000;
/** Commits to a server that syncs each of them are slow. */
const PATIENCE_MS = 120_000;
const BATCH = 50;
const PAGE = 17;
const TITLE = `without gaps or repeats while ${INSERTED} items are inserted`;

const PROJECTIONS: readonly DeclaredProjection[] = [Items, PostTags];

const told = storyEvents().find(({ type }) => type === 'Posted')!;
/** An event at its own position; every third one has the tag. */
const posted = (number: number): Event => {
  const tags = number % 3 === 0 ? ['third'] : ['other'];
  const data = { ...(told.data as object), post: 100_000_000_000 + ((number * 7_919) % 1_000_003), tags };
  return { ...told, position: at(number), data };
};

export function pagesOfTheFeed(open: Open<DocumentStore>): void {
  const lists: readonly (readonly [string, FeedFilters, (number: number) => boolean])[] = [
    ['the whole feed', {}, () => true],
    ['a board', { board: 'show' }, () => true],
    ['a tag', { tag: 'third' }, number => number % 3 === 0],
    ['the top items', { sort: 'top' }, () => true],
  ];

  test.each(lists)(
    `pages through %s ${TITLE}`,
    async (_what, filters, isIn) => {
      const { models, insert } = await written(open);
      await insert(1, BEFORE);
      const writing = insert(BEFORE + 1, BEFORE + INSERTED);
      const read: string[] = [];
      let [before, pages]: [string | undefined, number] = [undefined, 0];
      do {
        const { items, next } = await loadFeedPage(models, filters, { limit: PAGE, before, promoted: null });
        read.push(...items.map(({ opened }) => opened));
        before = next ?? undefined;
        pages += 1;
      } while (before !== undefined);
      await writing;
      const known = Array.from({ length: BEFORE }, (_, number) => number + 1).filter(isIn);
      expect(pages).toBeGreaterThan(known.length / PAGE);
      expect(new Set(read).size).toBe(read.length);
      expect(read).toEqual([...read].sort().reverse());
      expect(read.slice(-known.length)).toEqual(known.map(at).reverse());
    },
    PATIENCE_MS,
  );
}

/** Returns a store with both projections of posts and a function that inserts posts like a projector. */
async function written(open: Open<DocumentStore>) {
  const store = await open();
  const collections = new Map<string, Collection>();
  for (const projection of PROJECTIONS) collections.set(projection.name, await store.open(projection));
  const models = { of: ({ name }: { name: string }) => collections.get(name) } as unknown as ReadModels;
  const lease = (await store.lease('projector', 'here', TTL_MS, NOW))!;
  const insert = async (first: number, last: number) => {
    for (let from = first; from <= last; from += BATCH) {
      const events = Array.from({ length: BATCH }, (_, number) => posted(from + number));
      const batches = PROJECTIONS.map(projection => {
        const documents = fold(projection, events, new Map());
        return { projection, documents, from: at(from - 1), to: at(from + BATCH - 1) };
      });
      await store.commit(batches, lease);
      await new Promise(resolve => setImmediate(resolve));
    }
  };
  return { models, insert };
}
