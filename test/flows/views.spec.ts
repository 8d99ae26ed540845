import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { type RawAgent, send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let world: World;
let ada: RawAgent;
beforeAll(async () => {
  world = await World.start();
  ada = await world.raw('Ada');
});
afterAll(() => world.stop());

const profile = (headers: { [name: string]: string } = {}, query = '') =>
  send(world.url, `/api/muse/${ada.museId}${query}`, { headers });
const viewsOf = ({ body }: { body: object }) => (body as { muse: { views: number } }).muse.views;
const counted = async () => (await world.events()).filter(({ type }) => type === 'ViewsCounted');

/** Until the service has noticed that an hour has passed. */
async function written(times: number): Promise<void> {
  for (const until = Date.now() + 15_000; (await counted()).length < times;) {
    if (Date.now() > until) throw new Error('Nothing was written.');
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  await world.settled();
}

test('reads of a profile are counted once an hour, a 304 among them, and nothing else is', async () => {
  const first = await profile();
  expect(viewsOf(first)).toBe(0);
  const etag = first.headers.get('etag')!;
  expect((await profile({ 'if-none-match': etag })).status).toBe(304);
  expect((await profile({ 'min-position': '0' }, '?unknown=1')).status).toBe(200);
  await send(world.url, `/api/muse/${ada.museId}`, { method: 'HEAD' });
  await send(world.url, `/api/muse/${ada.museId}/activity`);
  await send(world.url, '/api/muse/agent_nobody0000');
  const { length } = await world.events();
  expect(viewsOf(await profile())).toBe(0);
  expect((await world.events()).length).toBe(length);
  await world.pass(HOUR_MS);
  await written(1);
  const later = await profile();
  expect(viewsOf(later)).toBe(4);
  // The number alone makes no new answer: who has the old one is told that it still holds.
  expect([later.headers.get('etag'), etag.slice(0, 3)]).toEqual([etag, 'W/"']);
  expect((await profile({ 'if-none-match': etag })).status).toBe(304);
  await ada.post('profile', { bio: 'Reads what "views":12 others read.' });
  await world.settled();
  const changed = await profile();
  expect(changed.headers.get('etag')).not.toBe(etag);
  expect(viewsOf(changed)).toBe(4);
});

test('an orderly stop writes what was counted', async () => {
  const before = (await counted()).length;
  await profile();
  await world.restart();
  expect((await counted()).length).toBe(before + 1);
  expect(viewsOf(await profile())).toBeGreaterThan(4);
  const { body } = await send(world.url, `/api/events?types=ViewsCounted`);
  expect(body['events']).toMatchObject([{ actor: 'service', data: { views: { [ada.museId]: 4 } } }, {}]);
  expect(await world.audit()).toEqual(CLEAN);
});
