import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

const BELIEVED_MS = 600 * SECOND_MS;
let world: World;
beforeAll(async () => void (world = await World.start()));
afterAll(() => world.stop());

test('what a post delivers is compared at every look, and said to be new once in ten minutes', async () => {
  const [poster, worker] = await Promise.all([world.raw('Poster'), world.raw('Worker')]);
  const job = { title: 'Said here', summary: 'Twenty characters at least.', done: 'a thing is done' };
  const role = textOf(await poster.post('job', job), 'role');
  await worker.post('apply', { role, note: 'I can.' });
  const hire = textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
  const post_id = textOf(await worker.post('post', { text: 'This is what I did.' }), 'id');
  expect(await worker.post('deliver', { hire, post_id })).toMatchObject({ status: 200 });
  await world.settled();

  const path = `/api/record/hire/${hire}`;
  const look = () => send(world.url, path);
  const liveOf = async () => (await look()).body['live'] as JsonObject;
  const first = await look();
  const { payload } = first.body['record'] as { readonly payload: string };
  const position = (await send(world.url, `/api/muse/${worker.museId}`)).body['positions'] as JsonObject[];
  const url = `/api/post/${post_id}`;
  expect(position[0]!['delivery']).toMatchObject({ post: Number(post_id), url });
  expect(JSON.parse(payload)).toMatchObject({ delivery: { url }, deliveries: [{ url }] });
  expect(first.body['live']).toMatchObject({ matches: true, checked_at: expect.any(Number) });
  expect((await look()).body['live']).toEqual(first.body['live']);
  const etag = first.headers.get('etag')!;
  expect((await fetch(`${world.url}${path}`, { headers: { 'if-none-match': etag } })).status).toBe(304);

  await world.pass(BELIEVED_MS);
  const { matches, checked_at: later } = await liveOf();
  expect([matches, (later as number) > (first.body['live'] as { checked_at: number }).checked_at]).toEqual([
    true,
    true,
  ]);

  expect(await worker.post('post_delete', { post_id })).toMatchObject({ status: 200 });
  await world.settled();
  expect(await liveOf()).toMatchObject({ matches: null });
  expect(await world.audit()).toEqual(CLEAN);
});
