import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { CommandStartedEvent, Document, MongoClient } from 'mongodb';
import { MongoDocumentStore } from '#libs/documents/mongodb.document-store.js';
import type { Collection, DocumentStore, Lease } from '#libs/documents/document-store.port.js';
import type { Projection } from '#libs/kernel/projection.js';
import { LAST_CHARACTER, MongoConnection } from '#libs/platform/mongodb/connection.js';
import { at, batch, type Doc, NOW, TTL_MS } from './documents.samples.js';
import { mongodb, newDatabaseUrl } from './mongodb.server.js';

/** Ids start with the id of their owner. */
const kept: Projection = {
  name: 'kept',
  version: 1,
  types: [],
  indexes: { byMuse: ['muse', 'since'], byDay: ['day', 'since'], byKind: ['kind', 'muse', 'since'] },
  idsBegin: 'muse/',
  keys: () => [],
  evolve: () => null,
};
const DOCS: readonly Doc[] = [
  ['ann/1', 1, { muse: 'ann', day: 1, kind: 'a', since: 1 }],
  ['ann/2', 2, { muse: 'ann', day: 1, kind: 'b', since: 2 }],
  ['anna/1', 3, { muse: 'anna', day: 1, kind: 'a', since: 3 }],
  ['bob/1', 4, { muse: 'bob', day: 2, kind: 'a', since: 4 }],
];

/**
 * Checks the commands that a router would see, without a cluster: collections are sharded by `_id`, so an id or a range
 * of ids selects the shards.
 */
if (mongodb.available) describe('MongoDB, sharded by id', tests);
else test('MongoDB, sharded by id', () => console.info(`It was not looked at. To look: ${mongodb.howToRun}`));

function tests(): void {
  let client: MongoClient;
  let watching: MongoConnection;
  let store: DocumentStore;
  let collection: Collection;
  let lease: Lease;
  const commands: CommandStartedEvent[] = [];

  /** Returns the filters of all document commands that `work` sends. */
  async function filters(work: () => Promise<unknown>): Promise<Document[]> {
    commands.length = 0;
    await work();
    return commands.flatMap(({ commandName, command }) => {
      if (!String(command[commandName]).startsWith('kept@')) return [];
      const writes = [...(command['updates'] ?? []), ...(command['deletes'] ?? [])] as readonly Document[];
      return commandName === 'find' ? [command['filter'] as Document] : writes.map(({ q }) => q as Document);
    });
  }

  beforeAll(async () => {
    const url = `${newDatabaseUrl()}&monitorCommands=true`;
    store = await MongoDocumentStore.open(url);
    watching = await MongoConnection.open(url, 'The test');
    client = watching.client;
    client.on('commandStarted', event => commands.push(event));
    collection = await store.open(kept);
    lease = (await store.lease('projector', 'here', TTL_MS, NOW))!;
  });
  afterAll(async () => {
    await watching.db.dropDatabase();
    await Promise.all([store.close(), watching.close()]);
  });

  test('each write names the id, including a retry and a fill of a build', async () => {
    const own = (from: number, to: number, ...documents: Doc[]) => ({
      ...batch(from, to, ...documents),
      projection: kept,
    });
    const written = await filters(() => store.commit([own(0, 4, ...DOCS)], lease));
    expect(written.map(({ _id }) => _id as string)).toEqual(DOCS.map(([id]) => id));
    const again: Doc[] = [...DOCS.slice(0, 2), ['bob/1', 5, { ...DOCS[3]![2], since: 9 }], ['bob/2', 5, null]];
    const seen = await filters(() => store.commit([own(4, 5, ...again)], lease));
    expect(seen.length).toBeGreaterThan(again.length);
    const ids = [...seen.keys()].map(n => seen[n]!['_id'] as string | { readonly $in: string[] });
    for (const id of ids) expect(typeof id === 'string' || Array.isArray(id.$in)).toBe(true);

    const [build] = await store.builds.begin(kept);
    const filler = (await store.lease('fill', 'here', TTL_MS, NOW))!;
    const filling = { ...own(0, 5, ...DOCS), isGentle: true };
    const filled = await filters(() => store.builds.fill(build, filling, async () => filler));
    expect(filled.map(({ _id }) => _id as string)).toEqual(DOCS.map(([id]) => id));
  });

  test('a read by id names it, and a list of an owner names its range of ids', async () => {
    expect(await filters(() => collection.get('ann/1'))).toMatchObject([{ _id: 'ann/1' }]);
    const many = await filters(() => collection.getMany(['ann/1', 'bob/1']));
    expect(many).toMatchObject([{ _id: { $in: ['ann/1', 'bob/1'] } }]);
    const range = { order: 'desc', limit: 5 } as const;
    const find = (index: string, ...equals: (string | number)[]) => collection.find({ ...range, index, equals });
    const ofAnn = { _id: { $gte: 'ann/', $lt: `ann/${LAST_CHARACTER}` } };
    expect(await filters(() => find('byMuse', 'ann'))).toMatchObject([ofAnn]);
    expect(await filters(() => find('byKind', 'a', 'ann'))).toMatchObject([ofAnn]);
    expect((await find('byMuse', 'ann')).map(({ id }) => id)).toEqual(['ann/2', 'ann/1']);
    expect((await find('byKind', 'a', 'ann')).map(({ id }) => id)).toEqual(['ann/1']);
    const [ofDay] = await filters(() => find('byDay', 1));
    expect(ofDay).not.toHaveProperty('_id');
    expect((await find('byDay', 1)).map(({ position }) => position)).toEqual([at(3), at(2), at(1)]);
  });
}
