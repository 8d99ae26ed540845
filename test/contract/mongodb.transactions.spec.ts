import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Binary, MongoClient } from 'mongodb';
import { MongoDocumentStore } from '#libs/documents/mongodb.document-store.js';
import { MongoLeases } from '#libs/documents/mongodb.leases.js';
import { MongoCheckpoints } from '#libs/documents/mongodb.checkpoints.js';
import type { CommitBatch, Lease } from '#libs/documents/document-store.port.js';
import { LOG_START } from '#libs/kernel/event.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { TransactionPool } from '#libs/platform/mongodb/transaction.js';
import { transformedSources } from '../doubles/transformed-sources.js';
import { TcpProxy } from '../faults/stores/tcp-proxy.js';
import { at, batch, NOW, profiles, TTL_MS } from './documents.samples.js';
import { mongodb, newDatabaseUrl, withClient } from './mongodb.server.js';

/** A server ends an open transaction after ten seconds at the earliest, by default after 60. */
const AT_ONCE_MS = 8_000;
const MONGODB_PORT = 27_017;
const DEAD = 'the dead one';
const CHECKPOINTS = 'meta.checkpoints';
type Named = { readonly _id: string; readonly sessions?: readonly Binary[] };

if (mongodb.available) describe('transactions that are left open', tests);
else test('transactions that are left open', () => console.info(`They were not tried: ${mongodb.howToRun}`));

function tests(): void {
  let url = '';
  let store: MongoDocumentStore;
  let proxy: TcpProxy | undefined;

  beforeEach(() => void (url = newDatabaseUrl()));
  afterEach(async () => {
    await store.close();
    await proxy?.stop();
    await withClient(url, client => client.db().dropDatabase());
  });

  const taking: [string, () => Promise<Lease | null>][] = [
    ['takes the expired lease', () => store.lease('projector', 'the next one', TTL_MS, NOW + TTL_MS)],
    ['takes the lease by force', () => store.seize('projector', 'the next one', TTL_MS, NOW)],
    ['begins again under the same name', () => store.lease('projector', DEAD, TTL_MS, NOW)],
  ];
  const after = [
    ['its first commit', 0],
    ['one of many of several projections', 3],
  ] as const;
  const cases = after.flatMap(([which, before]) => taking.map(([who, take]) => [who, which, before, take] as const));
  test.each(cases)(
    'a process that %s writes at once after the last one was killed in %s',
    async (_, __, before, take) => {
      expect(await deathInCommit(url, profiles.indexes, before)).toBe('SIGKILL');
      store = await MongoDocumentStore.open(url);
      const collection = await store.open(profiles);
      const began = Date.now();
      const lease = await take();
      await store.commit([batch(before, 9, ['a', 9, { score: 1 }])], lease!);
      expect(Date.now() - began).toBeLessThan(AT_ONCE_MS);
      expect([await collection.checkpoint(), (await collection.get('a'))?.position]).toEqual([at(9), at(9)]);
    },
  );

  test('a process declares another index at once after one was killed in a commit', async () => {
    const { by_score } = profiles.indexes;
    expect(await deathInCommit(url, { by_score })).toBe('SIGKILL');
    store = await MongoDocumentStore.open(url);
    const began = Date.now();
    const collection = await store.open(profiles);
    expect(Date.now() - began).toBeLessThan(AT_ONCE_MS);
    const lease = await store.lease('projector', DEAD, TTL_MS, NOW);
    await store.commit([batch(0, 1, ['a', 1, { score: 1 }])], lease!);
    expect(await collection.checkpoint()).toBe(at(1));
  });

  const seizing: [string, (leases: MongoLeases) => Promise<unknown>][] = [
    ['takes the expired lease', leases => leases.take(['projector'], 'other', TTL_MS, NOW + TTL_MS)],
    ['takes the lease by force', leases => leases.seize('projector', 'other', TTL_MS, NOW)],
    ['begins again under the same name', leases => leases.take(['projector'], DEAD, TTL_MS, NOW)],
  ];
  test.each(seizing)(
    'a process that %s does so at once while another one is killed in its commit',
    async (_, seize) => {
      expect(await deathInCommit(url, profiles.indexes, 3)).toBe('SIGKILL');
      store = await MongoDocumentStore.open(url);
      await withClient(url, async client => {
        const { id, begin } = unfinished(client);
        await client
          .db()
          .collection<Named>('meta.leases')
          .updateOne({ _id: 'projector' }, { $push: { sessions: id } });
        const transactions = new Interrupted(client, begin);
        const checkpoints = new MongoCheckpoints(client.db().collection(CHECKPOINTS));
        const leases = new MongoLeases(client.db(), transactions, checkpoints);
        const began = Date.now();
        await seize(leases);
        expect(Date.now() - began).toBeLessThan(AT_ONCE_MS);
        expect(transactions.hasBegun).toBe(true);
        await transactions.close();
      });
    },
  );

  test('a waiting process does not disturb a commit of the lease holder', async () => {
    store = await MongoDocumentStore.open(url);
    const collection = await store.open(profiles);
    const lease = await store.lease('projector', 'here', TTL_MS, NOW);
    const other = await MongoDocumentStore.open(url);
    let request: Promise<unknown> = Promise.resolve();
    const ask = () => (request = other.lease('projector', 'there', TTL_MS, NOW + TTL_MS - 1));
    await store.commit([inside(ask)], lease!);
    expect([await request, await collection.checkpoint()]).toEqual([null, at(1)]);
    await other.close();
  });

  test('a process that lost its connections in a commit continues once reconnected', async () => {
    const { hostname, port } = new URL(url);
    proxy = await TcpProxy.start(Number(port) || MONGODB_PORT, hostname);
    store = await MongoDocumentStore.open(through(url, proxy.port));
    const collection = await store.open(profiles);
    const lease = await store.lease('projector', 'here', TTL_MS, NOW);
    await expect(store.commit([inside(() => proxy?.refuse())], lease!)).rejects.toThrow(Unavailable);
    proxy.open();
    const began = Date.now();
    expect(await store.lease('projector', 'here', TTL_MS, NOW)).toEqual(lease);
    const from = await collection.checkpoint();
    await store.commit([{ ...batch(0, 2, ['a', 2, { score: 1 }]), from }], lease!);
    expect(Date.now() - began).toBeLessThan(AT_ONCE_MS);
  });
}

/** Prepares a commit of several projections in its own session, started and never ended. */
function unfinished(client: MongoClient) {
  const session = client.startSession();
  const begin = async () => {
    session.startTransaction();
    const places = client.db().collection<Named>(CHECKPOINTS);
    await places.updateMany({ builds: { $exists: true } }, { $set: { position: at(9) } }, { session });
  };
  return { id: session.id!.id, begin };
}

/** Lets the other process begin again after its transactions were ended the first time. */
class Interrupted extends TransactionPool {
  hasBegun = false;

  constructor(
    client: MongoClient,
    private readonly begin: () => Promise<void>,
  ) {
    super(client);
  }

  override async endAll(ids: readonly Binary[]): Promise<void> {
    await super.endAll(ids);
    if (this.hasBegun || ids.length === 0) return;
    this.hasBegun = true;
    await this.begin();
  }
}

/** Starts a process that dies inside its first commit. Returns the signal that ended it. */
/** `before` is the number of its earlier commits, which include another projection. */
async function deathInCommit(url: string, indexes: object, before = 0): Promise<unknown> {
  const program = join(transformedSources(), 'test', 'faults', 'stores', 'dying-writer.js');
  const given = [url, DEAD, String(NOW), String(TTL_MS), JSON.stringify(indexes), String(before)];
  const child: ChildProcess = spawn(process.execPath, [program, ...given], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [, signal] = (await once(child, 'exit')) as unknown[];
  return signal;
}

/** A batch that calls `happen` after the first writes of its commit. */
function inside(happen: () => unknown): CommitBatch {
  const { documents, ...rest } = batch(0, 1, ['a', 1, { score: 1 }]);
  let isFirst = true;
  const ask = () => {
    if (isFirst) happen();
    isFirst = false;
    return documents;
  };
  return Object.defineProperty({ ...rest, documents, from: LOG_START }, 'documents', { get: ask });
}

/** The server announces its own address, so only `directConnection` keeps that of the proxy. */
function through(url: string, port: number): string {
  const behind = new URL(url);
  behind.host = `127.0.0.1:${port}`;
  behind.searchParams.set('directConnection', 'true');
  return behind.href;
}
