import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { SqliteDocumentStore } from '#libs/documents/sqlite.document-store.js';
import { SqliteEventLog } from '#libs/event-log/sqlite.event-log.js';
import { LOG_START } from '#libs/kernel/event.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { GroupCommit, QUEUE_MAX } from '#libs/platform/sqlite/group-commit.js';
import { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { SqliteVault } from '#libs/platform/vault/sqlite.vault.js';
import { temporaryFolder } from '../temporary-folder.js';
import { at, move, NOW, profiles, TTL_MS } from './documents.samples.js';
import { events } from './samples.js';

const BUSY_TIMEOUT_MS = 30;
const LOCKED_MS = 500;
const file = temporaryFolder();

test('has a SQLite with the fix of the WAL-reset bug', () => {
  const store = Sqlite.open(file('any.db'), { component: 'Any store', synchronous: 'FULL' });
  const [version] = store.prepare<[string]>('SELECT sqlite_version()').one()!;
  expect(version.localeCompare('3.51.3', 'en', { numeric: true })).toBeGreaterThanOrEqual(0);
  store.close();
});

test('refuses to store a text with NUL, which the driver would cut, and finds none', () => {
  const schema = 'CREATE TABLE texts (text TEXT PRIMARY KEY)';
  const store = Sqlite.open(file('any.db'), { component: 'Any store', synchronous: 'FULL', schema });
  const insert = store.prepare('INSERT INTO texts VALUES (?)');
  const find = store.prepare<[string]>('SELECT text FROM texts WHERE text = ?');
  insert.run('a');
  expect(() => insert.run('a\0b')).toThrow('A text for SQLite holds a NUL character.');
  expect([find.one('a'), find.one('a\0b'), find.all('a\0b')]).toEqual([['a'], undefined, []]);
  store.close();
});

test('positions are numbered from one without gaps, even after refused appends', async () => {
  const log = SqliteEventLog.open(file('events.db'));
  await Promise.allSettled(['1', '2', '3'].map(id => log.append('a', 'none', events('a', id))));
  await Promise.all(['b', 'c'].map(stream => log.append(stream, 'none', events(stream, '1', '2'))));
  const { events: all } = await log.readAll(LOG_START, 100);
  expect(all.map(each => Number(each.position))).toEqual([1, 2, 3, 4, 5]);
  await log.close();
});

test('a filter by type examines one step of a SQLite log at a time', async () => {
  const log = SqliteEventLog.open(file('events.db'));
  await log.append('a', 'none', events('a', '1', '2', '3', '4', '5'));
  const first = await log.readAll(LOG_START, 10, ['Nothing'], 3);
  const second = await log.readAll(first.next, 10, ['Nothing'], 3);
  expect([first, second].map(({ next, examined }) => [Number(next), examined])).toEqual([
    [3, 3],
    [5, 2],
  ]);
  await log.close();
});

test('a file locked by another process is an outage, and a retry succeeds', async () => {
  const log = SqliteEventLog.open(file('events.db'), BUSY_TIMEOUT_MS);
  const other = new DatabaseSync(file('events.db'));
  other.exec('BEGIN IMMEDIATE');
  const refused = await Promise.allSettled(['a', 'b'].map(stream => log.append(stream, 'none', events(stream, '1'))));
  for (const each of refused)
    expect(each).toMatchObject({ status: 'rejected', reason: new Unavailable('The event log') });
  expect(await log.head()).toBe(LOG_START);
  other.exec('ROLLBACK');
  other.close();
  expect(await log.append('a', 'none', events('a', '1'))).toHaveLength(1);
  await log.close();
});

test('an append after closing is an outage', async () => {
  const log = SqliteEventLog.open(file('events.db'));
  await log.close();
  await log.close();
  await expect(log.append('a', 'none', events('a', '1'))).rejects.toThrow(Unavailable);
});

test('a folder that cannot be created is an outage', () => {
  SqliteVault.open(file('taken'));
  expect(() => SqliteEventLog.open(file('taken', 'events.db'))).toThrow(Unavailable);
});

test('waiting writes share a commit, and one that throws fails alone', async () => {
  const connection = Sqlite.open(file('x.db'), {
    component: 'X',
    synchronous: 'FULL',
    schema: 'CREATE TABLE t (n INTEGER)',
  });
  let commits = 0;
  const group = new GroupCommit(connection, () => (commits += 1));
  const insert = connection.prepare('INSERT INTO t VALUES (?)');
  await Promise.all([1, 2, 3].map(n => group.run(() => insert.run(n))));
  expect(commits).toBe(1);
  const broken = group.run(() => {
    insert.run(99);
    throw new Error('broken');
  });
  const outcomes = await Promise.allSettled([group.run(() => insert.run(4)), broken, group.run(() => insert.run(5))]);
  expect(outcomes.map(each => each.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(connection.prepare<[number]>('SELECT n FROM t').all().flat()).toEqual([1, 2, 3, 4, 5]);
  connection.close();
});

test('a transaction excludes other writers from its start', () => {
  const options = { component: 'X', synchronous: 'FULL', busyTimeoutMs: BUSY_TIMEOUT_MS } as const;
  const [here, there] = [Sqlite.open(file('x.db'), options), Sqlite.open(file('x.db'), options)];
  here.write(() => expect(() => there.exec('CREATE TABLE t (n INTEGER)')).toThrow(Unavailable));
  there.exec('CREATE TABLE t (n INTEGER)');
  for (const each of [here, there]) each.close();
});

test('document writes wait for another process without blocking the thread', async () => {
  const store = SqliteDocumentStore.open(file('documents.db'), LOCKED_MS);
  const other = new DatabaseSync(file('documents.db'));
  other.exec('BEGIN IMMEDIATE');
  const begun = performance.now();
  const taking = store.lease('a', 'me', TTL_MS, NOW);
  await expect(Promise.race([taking, pause(1, 'meanwhile')])).resolves.toBe('meanwhile');
  expect(performance.now() - begun).toBeLessThan(LOCKED_MS / 2);
  other.exec('ROLLBACK');
  await expect(taking).resolves.toEqual({ name: 'a', epoch: 1 });
  other.exec('BEGIN IMMEDIATE');
  const refused = store.lease('a', 'me', TTL_MS, NOW);
  await expect(refused).rejects.toThrow(Unavailable);
  await expect(refused).rejects.toHaveProperty('cause.errcode', 5);
  other.exec('ROLLBACK');
  other.close();
  await store.close();
});

test('the write queue is bounded', async () => {
  const connection = Sqlite.open(file('x.db'), { component: 'X', synchronous: 'FULL' });
  const group = new GroupCommit(connection);
  const waiting = Array.from({ length: QUEUE_MAX }, (_, index) => group.run(() => index));
  await expect(group.run(() => 0)).rejects.toThrow(Unavailable);
  expect((await Promise.all(waiting)).at(-1)).toBe(QUEUE_MAX - 1);
  connection.close();
});

test('reads the build of the reported checkpoint right after a switch', async () => {
  const [store, there] = [
    SqliteDocumentStore.open(file('documents.db')),
    SqliteDocumentStore.open(file('documents.db')),
  ];
  const [, reading] = [await store.open(profiles), await there.open(profiles)];
  const lease = (await store.lease('projector', 'here', TTL_MS, NOW))!;
  await store.commit([{ projection: profiles, documents: [], from: LOG_START, to: at(1) }], lease);
  const [build] = await store.builds.begin(profiles);
  const documents = [{ id: 'a', position: at(1), body: {} }];
  await store.builds.fill(build, { documents, from: LOG_START, to: at(1), isGentle: true }, async () => lease);
  await store.builds.switchTo([build], [lease], NOW);
  const later = [{ id: 'b', position: at(2), body: {} }];
  await store.commit([{ projection: profiles, documents: later, from: at(1), to: at(2) }], lease);
  for (let times = 0; times < 2; times += 1) {
    expect(await there.checkpoints()).toMatchObject([{ position: at(2) }]);
    expect((await reading.scan(9)).map(({ id }) => id)).toEqual(['a', 'b']);
  }
  await Promise.all([store.close(), there.close()]);
});

test('moves projections at an equal position with a single row', async () => {
  const projections = ['a', 'b', 'c'].map(name => ({ ...profiles, name }));
  const store = SqliteDocumentStore.open(file('documents.db'));
  for (const projection of projections) await store.open(projection);
  const beneath = new DatabaseSync(file('documents.db'), { returnArrays: true });
  const rows = () => beneath.prepare('SELECT build, position, shared FROM checkpoints ORDER BY build').all();
  const lease = (await store.lease('projector', 'here', TTL_MS, NOW))!;
  const go = (from: number, to: number, some = projections) => store.commit(move(some, from, to), lease);
  await go(0, 3, projections.slice(0, 2));
  await go(0, 3, projections.slice(2));
  await go(3, 4);
  const met = rows() as [string, string, string | null][];
  const shared = met[0]![0];
  expect(met.map(([build, , own]) => [build, own])).toEqual([
    [shared, null],
    ...projections.map(({ name }) => [`${name}@1-a`, shared]),
  ]);
  await go(4, 5);
  expect(rows()).toEqual([[shared, at(5), null], ...met.slice(1)]);
  beneath.close();
  await store.close();
});

test('keeps a shared checkpoint while another projection moves alone', async () => {
  const [alone, ...together] = ['a', 'b', 'c'].map(name => ({ ...profiles, name }));
  const store = SqliteDocumentStore.open(file('documents.db'));
  for (const projection of [alone!, ...together]) await store.open(projection);
  const lease = (await store.lease('projector', 'here', TTL_MS, NOW))!;
  const go = (some: readonly (typeof profiles)[], from: number, to: number) =>
    store.commit(move(some, from, to), lease);
  await go(together, 0, 1);
  const beneath = new DatabaseSync(file('documents.db'), { returnArrays: true });
  const shared = () => beneath.prepare("SELECT build FROM checkpoints WHERE build LIKE '@%'").all();
  const before = shared();
  for (const next of [1, 2, 3]) await go([alone!], next - 1, next);
  await go(together, 1, 2);
  expect([shared(), before.length]).toEqual([before, 1]);
  await go([alone!, ...together], 3, 4).catch(() => undefined);
  await go(together, 2, 3);
  await go([alone!, ...together], 3, 4);
  expect(shared()).not.toEqual(before);
  beneath.close();
  await store.close();
});
