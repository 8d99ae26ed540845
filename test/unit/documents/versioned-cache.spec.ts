import { expect, test } from '@jest/globals';
import type { IndexRange } from '#libs/documents/document-store.port.js';
import { VersionedCache } from '#libs/documents/versioned-cache.js';

const NEWEST: IndexRange = { index: 'newest', equals: [], order: 'desc', limit: 10 };

test('reads an unchanged document once', async () => {
  const store = new Counting({ a: '1', b: '2' });
  const documents = new VersionedCache(store);
  const first = await documents.find(NEWEST);
  expect(first.map(({ id }) => id)).toEqual(['b', 'a']);
  expect(await documents.find(NEWEST)).toEqual(first);
  expect(await documents.getMany(['a'])).toEqual([first[1]]);
  expect(store.read).toEqual(['b', 'a']);
});

test('reads only changed and new documents again', async () => {
  const store = new Counting({ a: '1', b: '2' });
  const documents = new VersionedCache(store);
  await documents.find(NEWEST);
  store.documents = { a: '3', b: '2', c: '4' };
  store.read = [];
  expect((await documents.find(NEWEST)).map(({ id, body }) => [id, body])).toEqual([
    ['c', { at: '4' }],
    ['a', { at: '3' }],
    ['b', { at: '2' }],
  ]);
  expect(store.read).toEqual(['c', 'a']);
});

test('omits a removed document, even if it is removed before the read', async () => {
  const store = new Counting({ a: '1', b: '2' });
  const documents = new VersionedCache(store);
  await documents.find(NEWEST);
  store.documents = { a: '1', c: '3' };
  store.removedMeanwhile = 'c';
  expect((await documents.find(NEWEST)).map(({ id }) => id)).toEqual(['a']);
});

test('does not reuse documents of another build at the same position', async () => {
  const store = new Counting({ a: '1' });
  const documents = new VersionedCache(store);
  await documents.find(NEWEST);
  store.build = 'b2';
  await documents.find(NEWEST);
  expect(store.read).toEqual(['a', 'a']);
});

test('does not query the store for an empty list of ids', async () => {
  const store = new Counting({});
  expect(await new VersionedCache(store).getMany([])).toEqual([]);
  expect(store.looks).toBe(0);
});

/** Documents as id and position of the last change; counts reads. */
class Counting {
  build = 'b1';
  read: string[] = [];
  looks = 0;
  removedMeanwhile: string | undefined;

  constructor(public documents: { [id: string]: string }) {}

  async stamps(target: IndexRange | readonly string[]) {
    this.looks += 1;
    const all = Object.entries(this.documents).map(([id, position]) => ({ id, position }));
    const of = 'index' in target ? all : all.filter(({ id }) => target.includes(id));
    return { build: this.build, of: of.sort((a, b) => b.position.localeCompare(a.position)) };
  }

  async getMany(ids: readonly string[]) {
    this.read.push(...ids);
    const there = ids.filter(id => id !== this.removedMeanwhile);
    return there.map(id => ({ id, position: this.documents[id]!, body: { at: this.documents[id]! } }));
  }
}
