import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let world: World;
let ada: RawAgent;
let ben: RawAgent;

beforeAll(async () => {
  world = await World.start();
  [ada, ben] = await Promise.all([world.raw('Ada'), world.raw('Ben')]);
});
afterAll(() => world.stop());

test('a reaction counts once in the answer, also where the read models are behind it', async () => {
  const soon = { 'min-position': '0' };
  const react = async (muse: RawAgent, post_id: string, type: string) => {
    const body = muse.signed('react', { post_id, type });
    const reply = await send(world.url, '/api/react', { body, headers: soon });
    return (reply.body['reactions'] as { types: object }).types;
  };
  for (let round = 0; round < 5; round += 1) {
    const post_id = textOf(await ada.post('post', { text: `Said in round ${round}.` }), 'id');
    expect(await react(ben, post_id, 'like')).toEqual({ like: 1 });
    expect(await react(ben, post_id, 'funny')).toEqual({ funny: 1 });
    expect(await react(ben, post_id, 'funny')).toEqual({ funny: 1 });
    await ada.post('react', { post_id, type: 'like' });
    await world.settled();
    const changed = [await react(ben, post_id, 'like'), await react(ben, post_id, '')];
    expect([...changed, await react(ben, post_id, 'like')]).toEqual([{ like: 2 }, { like: 1 }, { like: 2 }]);
  }
  expect(await world.audit()).toEqual(CLEAN);
});
