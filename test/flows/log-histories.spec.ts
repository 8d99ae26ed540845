import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { readArguments } from '#apps/operator/arguments.js';
import { runCommand } from '#apps/operator/commands.js';
import type { AgentClient } from '#libs/client/index.js';
import { iterateEvents } from '#libs/event-log/iterate-events.js';
import type { Health } from '#libs/features/stats/health-report.js';
import { systemClock } from '#libs/kernel/clock.js';
import type { Position } from '#libs/kernel/event.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { readSettings } from '#libs/setup/settings.js';
import { openStores } from '#libs/setup/stores.js';
import { parseNote, parseCheckpoint } from '#libs/platform/signing/signed-note.js';
import { Folder, settingsOf } from '../bench/folder.js';
import { seed } from '../bench/seed.js';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import { type RawAgent, send } from '../raw-agent.js';
import { CLEAN, newFolder, World } from '../world.js';

describe('a log restored from an older backup', () => {
  /** Outlasts the caching of a checkpoint. */
  const LATER_MS = 60_000;

  let world: World;
  let poster: AgentClient;
  beforeAll(async () => {
    world = await World.start();
    [poster] = (await world.agents('poster')) as [AgentClient];
  });
  afterAll(() => world.stop());

  const post = (title: string, by = poster) =>
    by.job({ title, summary: `${title} that says something.`, done: 'It is there.' });
  const get = async (path: string) => fetch(`${world.url}${path}`);
  const roleStatus = async (role: string) => (await get(`/api/role/${role}`)).status;
  const checkpoint = async () => parseCheckpoint(parseNote(await (await get('/api/events/checkpoint')).text())!.text)!;

  /** Truncates the event log like an older backup and keeps the other stores. */
  function cut(behind: Position): void {
    const database = new DatabaseSync(join(world.folder, 'data', 'events.db'));
    database.prepare('DELETE FROM events WHERE position > ?').run(Number(behind));
    database.close();
  }

  test('rebuilds documents and checkpoints from the restored log', async () => {
    const { role: kept } = await post('A page');
    await world.settle();
    const backup = await world.service.stores.log.head();
    const { size } = await checkpoint();
    const { role: lost } = await post('A book');
    await world.settle();
    await world.advance(LATER_MS);
    expect((await checkpoint()).size).toBeGreaterThan(size);
    expect([await roleStatus(kept), await roleStatus(lost)]).toEqual([200, 200]);

    await world.restart({}, () => cut(backup));
    await world.settle();
    expect([await roleStatus(kept), await roleStatus(lost)]).toEqual([200, 404]);
    const health = (await (await get('/api/health')).json()) as Health;
    expect(health.status).toBe('ok');
    // The start has another port, which it names in an event.
    const head = await world.service.stores.log.head();
    expect(new Set(health.projections.map(({ position }) => position))).toEqual(new Set([head]));
    await world.advance(LATER_MS);
    const { events } = (await (await get('/api/events?limit=1000')).json()) as { events: object[] };
    expect((await checkpoint()).size).toBe(events.length);

    const { role: next } = await post('A letter', await world.agent('next poster'));
    await world.settle();
    expect(await roleStatus(next)).toBe(200);
    expect(await world.audit()).toEqual(CLEAN);
  });
});

describe('another event log', () => {
  /** Moves a service from SQLite to EventStoreDB, whose positions are different and larger. */
  const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.', skills: 'latin' };
  let double: EventStoreDouble;
  let world: World;
  let other: World;
  /** Readers of the whole inbox, of half of it, of an alert last and of a closing last. */
  let readers: { readonly all: RawAgent; readonly half: RawAgent; readonly alert: RawAgent; readonly closed: RawAgent };

  type Item = { readonly kind: string };
  const itemsOf = async (agent: RawAgent, query: Record<string, string> = {}) =>
    (await agent.post('inbox', query)).body['items'] as unknown as Item[];
  const kindsOf = async (agent: RawAgent, query?: Record<string, string>) =>
    (await itemsOf(agent, query)).map(({ kind }) => kind);
  const at = (agent: RawAgent) => Object.assign(Object.create(agent) as RawAgent, { url: other.url });

  beforeAll(async () => {
    [double, world] = await Promise.all([EventStoreDouble.start(), World.start()]);
    const [all, half, alert, closed] = await Promise.all([
      world.raw('all'),
      world.raw('half'),
      world.raw('alert'),
      world.raw('closed'),
    ]);
    readers = { all, half, alert, closed };
    await readers.alert.post('profile', { skills: 'latin', job_alerts: 'true' });
    const role = (await readers.all.post('job', job)).body['role'] as string;
    for (const each of [readers.half, readers.closed]) await each.post('apply', { role, note: 'I am fluent.' });
    for (const from of [readers.all, readers.alert]) await from.post('connect', { to: readers.half.museId });
    await readers.all.post('close', { role });
    await world.settle();
    for (const each of Object.values(readers)) await itemsOf(each, each === readers.half ? { limit: '1' } : {});
    await world.settle();

    const folder = newFolder();
    const eventLog = { EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: double.url };
    const operator = async (from: string, environment: object, ...argv: string[]) => {
      const settings = readSettings({ DATA_DIR: join(from, 'data'), PORT: '1', ...environment });
      return (await runCommand(readArguments(argv)!, settings)).json as JsonObject;
    };
    const backup = join(world.folder, 'backup');
    await operator(world.folder, {}, 'backup', backup);
    await operator(folder, eventLog, 'restore', backup);
    other = await World.start({ folder, settings: eventLog });
    await other.settle();
  }, 60_000);
  afterAll(async () => {
    await Promise.all([other.stop(), world.stop()]);
    await double.kill();
  });

  test('another event log gives no reader an item twice', async () => {
    for (const each of [readers.all, readers.alert, readers.closed]) {
      expect((await at(each).post('whoami')).body['unread']).toBe(0);
      expect(await kindsOf(at(each))).toEqual([]);
    }
  });

  test('another event log gives every unread item once', async () => {
    const half = at(readers.half);
    const expected = await kindsOf(readers.half, { peek: 'true' });
    expect(expected).toEqual(['connection_request', 'closed']);
    expect((await half.post('whoami')).body['unread']).toBe(2);
    expect(await kindsOf(half)).toEqual(expected);
    expect(await kindsOf(half)).toEqual([]);
  });

  test('another event log delivers new items and keeps the log consistent', async () => {
    await at(readers.all).post('connect', { to: readers.closed.museId });
    await other.settle();
    expect(await kindsOf(at(readers.closed))).toEqual(['connection_request']);
    expect(await other.audit()).toEqual(CLEAN);
  });

  test('another event log refuses an unknown position by field name, without an outage', async () => {
    const { body } = await send(other.url, '/api/events?limit=2');
    const [first] = body['events'] as JsonObject[];
    const position = first!['position'] as string;
    const behind = (after: string) => send(other.url, `/api/events?limit=1&after=${after}`);
    expect(await behind(position)).toMatchObject({ status: 200, body: { events: [{}] } });
    const within = String(BigInt(position) + 1n).padStart(position.length, '0');
    const refusal = {
      code: 'after',
      field: 'after',
      error: '`after` is not a position of this log. Use `next` of an earlier page.',
    };
    expect(await behind(within)).toMatchObject({ status: 400, body: refusal });
    for (const accept of ['text/event-stream', 'application/x-ndjson'])
      expect((await send(other.url, `/api/events?after=${within}`, { headers: { accept } })).status).toBe(400);
    const agent = at(readers.all);
    const created = await agent.post('webhook', { action: 'create', url: 'https://example.com/hooks' });
    const { id } = created.body['webhook'] as JsonObject;
    const replay = { action: 'replay', id: JSON.stringify(id) };
    expect(await agent.post('webhook', { ...replay, after: within })).toMatchObject({ status: 400, body: refusal });
    expect(await agent.post('webhook', { ...replay, after: position })).toMatchObject({ status: 200 });
  });
});

describe('an audit during writes', () => {
  /** Audits a service whose reactions keep writing. */
  let world: World;
  let agent: RawAgent;

  beforeAll(async () => {
    world = await World.start();
    agent = await world.raw('Ada');
  });
  afterAll(() => world.stop());

  test('compares log and documents at the same moment although an event is written', async () => {
    const { journal } = world.service.stores;
    const readAll = journal.readAll.bind(journal);
    jest.spyOn(journal, 'readAll').mockImplementation(async (...args) => {
      const page = await readAll(...args);
      if (page.events.length > 0) return page;
      jest.restoreAllMocks();
      await agent.post('post', { text: 'Behind what was read.' });
      await world.settle();
      return page;
    });
    expect(await world.audit()).toEqual(CLEAN);
    expect(await world.counts('Posted')).toEqual([1]);
  });
});

describe('a seeded log', () => {
  const folder = new Folder();
  afterAll(() => folder.remove());

  test('contains agents, jobs from posting to acceptance, and posts', async () => {
    const settings = settingsOf(folder.of('seeded'));
    const stores = await openStores(settings);
    try {
      const wanted = { events: 60, agents: 8, openRoles: 2, posts: 5 };
      const { agents, openRoles, events } = await seed(stores, settings, systemClock, wanted);
      const types: string[] = [];
      for await (const { type } of iterateEvents(stores.log)) types.push(type);
      expect([agents.length, openRoles.length, types.length]).toEqual([8, 2, events]);
      expect(types.filter(type => type === 'Posted')).toHaveLength(5);
      expect(types).toEqual(expect.arrayContaining(['Hired', 'Delivered', 'Rechecked', 'Accepted']));
    } finally {
      await stores.close();
    }
  });
});
