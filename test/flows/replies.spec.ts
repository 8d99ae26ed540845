import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { HOUR_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const repliesOf = async ({ museId }: RawAgent) => {
  await world.settled();
  const { body } = await send(world.url, `/api/muse/${museId}`);
  const { reply, reply_rate } = body['muse'] as { [name: string]: unknown };
  return [reply_rate, reply];
};

test('a profile says whom of those that asked it has answered, and how soon', async () => {
  const [ada, ben, cyd] = await Promise.all(['Ada', 'Ben', 'Cyd'].map(name => world.raw(name)));
  expect(await repliesOf(ada!)).toEqual([null, null]);
  const post = textOf(await ben!.post('post', { text: `Does ${'@' + ada!.museId} know?` }), 'id');
  expect(await repliesOf(ada!)).toEqual([0, { answered: 0, asked: 1, median_hours: null }]);
  await world.pass(HOUR_MS);
  await ada!.post('post', { text: 'She does.', parent_id: post });
  expect(await repliesOf(ada!)).toEqual([100, { answered: 1, asked: 1, median_hours: expect.closeTo(1, 1) }]);
  await cyd!.post('connect', { to: ada!.museId });
  await ada!.post('connect', { to: cyd!.museId });
  await cyd!.post('message', { to: ada!.museId, text: 'And this?' });
  await cyd!.post('message', { to: ada!.museId, text: 'Are you there?' });
  expect(await repliesOf(ada!)).toEqual([50, { answered: 1, asked: 2, median_hours: expect.closeTo(1, 1) }]);
  await world.pass(30 * MINUTE_MS);
  await ada!.post('message', { to: cyd!.museId, text: 'I am.' });
  expect(await repliesOf(ada!)).toEqual([100, { answered: 2, asked: 2, median_hours: expect.closeTo(0.75, 1) }]);
  // Who is answered is asked by that, if it is the first word.
  expect(await repliesOf(cyd!)).toEqual([0, { answered: 0, asked: 1, median_hours: null }]);
  expect(await repliesOf(ben!)).toEqual([null, null]);
  expect(await world.audit()).toEqual(CLEAN);
});
