import { expect, test } from '@jest/globals';
import { changesOf, foldChanges, listChangedIds } from '#libs/documents/fold.js';
import type { Collection, DocumentStore } from '#libs/documents/document-store.port.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { loadFeedPage, type FeedFilters } from '#libs/features/feed/feed-page.js';
import { Items } from '#libs/features/feed/views/items.js';
import { PostTags } from '#libs/features/feed/views/post-tags.js';
import type { PeopleSort } from '#libs/features/finding/people-order.js';
import { loadPeoplePage } from '#libs/features/finding/people-pages.js';
import { filterWord } from '#libs/features/finding/word-search.js';
import { MuseWords } from '#libs/features/identity/views/muse-words.js';
import { People } from '#libs/features/identity/views/people.js';
import type { Event } from '#libs/kernel/event.js';
import type { DeclaredProjection } from '#libs/views/projection.js';
import { toEvents, type EventSketch } from '../repeated-events.js';
import { storyEvents } from '../vectors/event-samples.js';
import type { Open } from './adapters.js';
import { at, NOW, TTL_MS } from './documents.samples.js';

const BEFORE = 300;
const INSERTED = 1_000;
const MUSES = 200;
const ARRIVING = 400;
/** Commits to a server that syncs each of them are slow. */
const PATIENCE_MS = 120_000;
const BATCH = 50;
const PAGE = 17;
const TITLE = `without gaps or repeats while ${INSERTED} items are inserted`;

const numbers = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, n) => first + n);

const postedEvent = storyEvents().find(({ type }) => type === 'Posted')!;
/** Every third post has the tag. */
const posted = (number: number): Event => {
  const tags = number % 3 === 0 ? ['third'] : ['other'];
  return {
    ...postedEvent,
    data: { ...(postedEvent.data as object), post: 100_000_000_000 + ((number * 7_919) % 1_000_003), tags },
  };
};

const museOf = (n: number) => `agent_${String((n * 7_919) % 1_000_003).padStart(10, '0')}`;
/** Events of a new muse. Every second one matches a word, every tenth one has earned. */
const joining = (n: number): EventSketch[] => [
  [
    'Registered',
    { muse_id: museOf(n), name: `Muse ${n}`, headline: n % 2 ? 'odd' : 'even', bio: null },
    `muse-${museOf(n)}`,
  ],
  ['Joined', { muse_id: museOf(n), item: 3_000_000_000_000 + n }, `muse-${museOf(n)}`],
  ...(n % 10 === 0 ? [['Paid', { worker: museOf(n), amount: `${(n % 30) + 1}` }, `hire-${n}`] as const] : []),
];
const joined = (first: number, last: number) => toEvents(numbers(first, last).flatMap(joining));

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
      const { models, write } = await written(open, [Items, PostTags]);
      await write(numbers(1, BEFORE).map(posted));
      const writing = write(numbers(BEFORE + 1, BEFORE + INSERTED).map(posted));
      const read: string[] = [];
      let [before, pages]: [string | undefined, number] = [undefined, 0];
      do {
        const { items, next } = await loadFeedPage(models, filters, { limit: PAGE, before, promoted: null });
        read.push(...items.map(({ opened }) => opened));
        before = next ?? undefined;
        pages += 1;
      } while (before !== undefined);
      await writing;
      const earlier = numbers(1, BEFORE).filter(isIn);
      expect(pages).toBeGreaterThan(earlier.length / PAGE);
      expect(new Set(read).size).toBe(read.length);
      expect(read).toEqual([...read].sort().reverse());
      expect(read.slice(-earlier.length)).toEqual(earlier.map(at).reverse());
    },
    PATIENCE_MS,
  );
}

export function pagesOfPeople(open: Open<DocumentStore>): void {
  const lists: readonly (readonly [PeopleSort, readonly string[], (n: number) => boolean])[] = [
    ['new', [], () => true],
    ['new', ['odd'], n => n % 2 === 1],
    ['earned', [], () => true],
    ['earned', ['muse', 'even'], n => n % 2 === 0],
  ];

  test.each(lists)(
    'pages list every muse once while others arrive, sorted by %s with words %j',
    async (sort, words, isIn) => {
      const { models, write } = await written(open, [People, MuseWords]);
      await write(joined(1, MUSES));
      const initial = await everybody(models, sort, words);
      expect(new Set(initial)).toEqual(new Set(numbers(1, MUSES).filter(isIn).map(museOf)));
      const writing = write(joined(MUSES + 1, MUSES + ARRIVING));
      const read = await everybody(models, sort, words);
      await writing;
      expect(new Set(read).size).toBe(read.length);
      expect(read.filter(id => initial.includes(id))).toEqual(initial);
    },
    PATIENCE_MS,
  );

  test(
    'a search with more than 500 matches scans the ordered list without gaps',
    async () => {
      const { models, write } = await written(open, [People, MuseWords]);
      await write(joined(1, MUSES + ARRIVING));
      const all = await everybody(models, 'earned', ['muse']);
      const ordered = await everybody(models, 'earned', []);
      expect(all).toEqual(ordered);
      expect(new Set(all).size).toBe(MUSES + ARRIVING);
    },
    PATIENCE_MS,
  );
}

async function everybody(models: ReadModels, sort: PeopleSort, words: readonly string[]): Promise<string[]> {
  const read: string[] = [];
  let after: string | undefined;
  do {
    const { ids, next } = await loadPeoplePage(models, { sort, words: words.map(filterWord), limit: PAGE, after });
    read.push(...ids);
    after = next ?? undefined;
  } while (after !== undefined);
  return read;
}

/** Returns a store with these projections and a function that appends and writes events like a projector. */
async function written(open: Open<DocumentStore>, projections: readonly DeclaredProjection[]) {
  const store = await open();
  const collections = new Map<string, Collection>();
  for (const projection of projections) collections.set(projection.name, await store.open(projection));
  const models = {
    of: ({ name }: { name: string }) => collections.get(name),
    memoize: <T>(_name: string, work: () => Promise<T>) => work(),
  } as unknown as ReadModels;
  const lease = (await store.lease('projector', 'here', TTL_MS, NOW))!;
  let position = 0;
  const fold = async (projection: DeclaredProjection, events: readonly Event[]) => {
    const own = events.filter(({ type }) => projection.types.includes(type));
    const changes = changesOf(projection, own);
    const before = await collections.get(projection.name)!.getMany(listChangedIds(changes));
    const documents = foldChanges(projection, changes, new Map(before.map(each => [each.id, each])));
    return { projection, documents, from: at(position), to: at(position + events.length) };
  };
  const write = async (events: readonly Event[]) => {
    const placed = events.map((event, n): Event => ({ ...event, position: at(position + n + 1) }));
    for (let from = 0; from < placed.length; from += BATCH) {
      const some = placed.slice(from, from + BATCH);
      const batches = await Promise.all(projections.map(each => fold(each, some)));
      await store.commit(batches, lease);
      position += some.length;
      await new Promise(resolve => setImmediate(resolve));
    }
  };
  return { models, write };
}
