import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { checkLog } from '#apps/operator/doctor/stores.js';
import { readSettings } from '#libs/setup/settings.js';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import { send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

const START_TIMEOUT_MS = 60_000;
const FOREIGN_EVENTS = 3;

/** A server that the service shares with another application. */
let double: EventStoreDouble;
let foreign: EventStoreDBClient;
let world: World;

beforeAll(async () => {
  double = await EventStoreDouble.start();
  foreign = EventStoreDBClient.connectionString(double.url);
  world = await World.start({ settings: { EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: double.url } });
}, START_TIMEOUT_MS);
afterAll(async () => {
  const audit = await world.audit();
  await world.stop();
  await foreign.dispose();
  await double.kill();
  expect(audit).toEqual(CLEAN);
});

test('events of another application stop no projection and appear nowhere', async () => {
  for (const type of ['OrderPlaced', 'Posted', 'RolePosted'])
    await foreign.appendToStream('order-1', [
      jsonEvent({ type, data: {}, metadata: { version: 1, $correlationId: 'a' } }),
    ]);
  const poster = await world.raw('poster');
  const text = 'After the orders of another application.';
  await poster.post('post', { text });
  await world.settle();
  const health = await send(world.url, '/api/health');
  expect(health.body).toMatchObject({ status: 'ok' });
  const { events } = (await send(world.url, '/api/events?limit=1000')).body as { events: { stream: string }[] };
  expect(events.filter(({ stream }) => stream === 'order-1')).toEqual([]);
  expect(JSON.stringify(await world.read('/api/feed'))).toContain(text);
  expect((await fetch(`${world.url}/log`)).status).toBe(200);
});

test('the doctor says how many events of another application are on the server', async () => {
  const settings = readSettings({ EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: double.url, DATA_DIR: world.folder });
  const [check] = await checkLog(settings);
  expect(check).toMatchObject({ ok: true });
  expect(check!.sentence).toContain(`passes over ${FOREIGN_EVENTS} events of other applications`);
});

test('requests fail as an outage while the user of the log has no rights', async () => {
  const poster = await world.raw('denied');
  double.faults.always('denied');
  const answers = [];
  for (const text of ['One.', 'Two.', 'Three.']) answers.push(await poster.post('post', { text }));
  double.faults.always(null);
  const error = expect.stringContaining('denies access to the user in EVENTSTORE_URL') as unknown;
  for (const { status, body } of answers) {
    expect(status).toBe(503);
    expect(body).toMatchObject({ code: 'unavailable', error });
  }
  expect((await poster.post('post', { text: 'Four.' })).status).toBe(200);
});

test.each([
  ['cut', (stream: string) => foreign.setStreamMetadata(stream, { maxCount: 1 }), /begins at revision [1-9]/],
  ['deleted', (stream: string) => foreign.deleteStream(stream), /revision 0/],
] as const)(
  'a muse whose stream was %s gets an error that says so, not a 401',
  async (way, lose, revision) => {
    const muse = await world.raw(`the ${way}`);
    const stream = `muse-${muse.museId}`;
    await lose(stream);
    await world.restart();
    Object.assign(muse, { url: world.url });
    const { status, body } = await muse.post('post', { text: 'May I still write?' });
    expect([status, body['code']]).toEqual([503, 'unreadable_event']);
    expect(body['error']).toContain(`The stream ${stream}`);
    expect(body['error']).toMatch(revision);
  },
  START_TIMEOUT_MS,
);
