import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Collection } from '#libs/documents/document-store.port.js';
import { SqliteDocumentStore } from '#libs/documents/sqlite.document-store.js';
import { filterWord, findByWords } from '#libs/features/finding/word-search.js';
import { LOG_START } from '#libs/kernel/event.js';
import { PostWords, type PostWordsDocument } from '#libs/features/feed/views/post-words.js';
import { at, NOW, TTL_MS } from '../../contract/documents.samples.js';
import { makeFolder } from '../../temporary-folder.js';

const POSTS = 2_000;
const folder = makeFolder();
const store = SqliteDocumentStore.open(join(folder, 'documents.db'));
let collection: Collection<PostWordsDocument>;

/** "even" and "odd" meet only in post 1; "hundredth" is rare, "tenth" is frequent. */
const wordsOf = (post: number) => [
  ...(post % 2 === 0 || post === 1 ? ['even'] : []),
  ...(post % 2 === 1 ? ['odd'] : []),
  ...(post % 100 === 0 ? ['hundredth'] : []),
  ...(post % 10 === 0 ? ['tenth'] : []),
];

beforeAll(async () => {
  collection = await store.open(PostWords);
  const lease = (await store.lease('projector', 'here', TTL_MS, NOW))!;
  const documents = Array.from({ length: POSTS }, (_, n) => {
    const post = n + 1;
    const body = { post, muse_id: 'agent_0', words: wordsOf(post), opened: at(post) };
    return { id: String(post), position: at(post), body };
  });
  await store.commit([{ projection: PostWords, documents, from: LOG_START, to: at(POSTS) }], lease);
});
afterAll(async () => {
  await store.close();
});

const find = async (
  words: string[],
  more: { limit?: number; after?: string; keep?: (d: PostWordsDocument) => boolean },
) => {
  const index = { collection, index: 'byWord', equals: [], order: 'opened' as const };
  const { documents, next } = await findByWords(index, { words: words.map(filterWord), limit: 20, ...more });
  return { posts: documents.map(({ id }) => Number(id)), next };
};

async function walk(words: string[], keep?: (d: PostWordsDocument) => boolean): Promise<number[][]> {
  const pages: number[][] = [];
  let next: string | null = null;
  do {
    const page = await find(words, { ...(next !== null && { after: next }), ...(keep && { keep }) });
    pages.push(page.posts);
    next = page.next;
  } while (next !== null);
  return pages;
}

test('a page without matches is empty but has a cursor to the next page', async () => {
  expect(await walk(['even', 'odd'])).toEqual([[], [1], []]);
});

test('a rare and a frequent word give full pages, newest first', async () => {
  const hundreds = Array.from({ length: 20 }, (_, n) => POSTS - n * 100);
  expect(await find(['even', 'hundredth'], {})).toEqual({ posts: hundreds, next: null });
  expect(await find(['hundredth', 'tenth', 'even'], {})).toEqual({ posts: hundreds, next: null });
  expect((await find(['even', 'hundredth'], { limit: 19 })).posts).toEqual(hundreds.slice(0, 19));
  expect(await walk(['tenth', 'even'])).toEqual(
    Array.from({ length: 10 }, (_, page) => Array.from({ length: 20 }, (_, n) => POSTS - (page * 20 + n) * 10)),
  );
});

test('a page is filled with later posts in place of rejected posts', async () => {
  const [first, ...others] = await walk(['tenth', 'even'], ({ post }) => post % 100 === 0);
  expect(first).toEqual(Array.from({ length: 20 }, (_, n) => POSTS - n * 100));
  expect(others.flat()).toEqual([]);
});
