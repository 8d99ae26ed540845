import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readArguments } from '#apps/operator/arguments.js';
import { carryOutCommand } from '#apps/operator/commands.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { readSettings } from '#libs/setup/settings.js';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import { type RawAgent, send } from '../raw-agent.js';
import { CLEAN, newFolder, World } from '../world.js';

/** A service that goes over from SQLite to EventStoreDB, whose positions are other and larger ones. */
const job = { title: 'A page', summary: 'A page that says something.', done: 'A page is there.', skills: 'latin' };
let double: EventStoreDouble;
let world: World;
let other: World;
/** Who has read all of its inbox, half of it, an alert last, and a closed role last. */
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
  await world.settled();
  for (const each of Object.values(readers)) await itemsOf(each, each === readers.half ? { limit: '1' } : {});
  await world.settled();

  const folder = newFolder();
  const eventLog = { EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: double.url };
  const operator = async (from: string, environment: object, ...argv: string[]) => {
    const settings = readSettings({ DATA_DIR: join(from, 'data'), PORT: '1', ...environment });
    return (await carryOutCommand(readArguments(argv)!, settings)).json as JsonObject;
  };
  const backup = join(world.folder, 'backup');
  await operator(world.folder, {}, 'backup', backup);
  await operator(folder, eventLog, 'restore', backup);
  other = await World.start({ folder, settings: eventLog });
  await other.settled();
}, 60_000);
afterAll(async () => {
  await Promise.all([other.stop(), world.stop()]);
  await double.kill();
});

test('nobody is handed out again what it has read', async () => {
  for (const each of [readers.all, readers.alert, readers.closed]) {
    expect((await at(each).post('whoami')).body['unread']).toBe(0);
    expect(await kindsOf(at(each))).toEqual([]);
  }
});

test('what was not handed out yet is, once', async () => {
  const half = at(readers.half);
  const expected = await kindsOf(readers.half, { peek: 'true' });
  expect(expected).toEqual(['connection_request', 'closed']);
  expect((await half.post('whoami')).body['unread']).toBe(2);
  expect(await kindsOf(half)).toEqual(expected);
  expect(await kindsOf(half)).toEqual([]);
});

test('what comes then is told, and the log stays one that holds', async () => {
  await at(readers.all).post('connect', { to: readers.closed.museId });
  await other.settled();
  expect(await kindsOf(at(readers.closed))).toEqual(['connection_request']);
  expect(await other.audit()).toEqual(CLEAN);
});

test('a position where nothing stands is refused by name, and is no outage', async () => {
  const { body } = await send(other.url, '/api/events?limit=2');
  const [first] = body['events'] as JsonObject[];
  const position = first!['position'] as string;
  const behind = (after: string) => send(other.url, `/api/events?limit=1&after=${after}`);
  expect(await behind(position)).toMatchObject({ status: 200, body: { events: [{}] } });
  const within = String(BigInt(position) + 1n).padStart(position.length, '0');
  const refusal = { code: 'after', field: 'after', error: 'after is no position of this log: nothing stands there.' };
  expect(await behind(within)).toMatchObject({ status: 400, body: refusal });
  for (const accept of ['text/event-stream', 'application/x-ndjson'])
    expect((await send(other.url, `/api/events?after=${within}`, { headers: { accept } })).status).toBe(400);
});
