import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { RawAgent } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';

let world: World;
let ada: RawAgent;
beforeAll(async () => {
  world = await World.start();
  ada = await world.raw('Ada');
});
afterAll(() => world.stop());

test('a private list refuses the cursor of another caller', async () => {
  const { body } = await ada.post('inbox', { peek: 'true', limit: '1' });
  const other = await world.raw('Other');
  const reply = await other.post('inbox', { peek: 'true', after: body['since'] as string });
  expect(reply).toMatchObject({ status: 400, body: { code: 'after' } });
});

test('the log passes the audit', async () => expect(await world.audit()).toEqual(CLEAN));
