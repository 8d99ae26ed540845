import { beforeAll, expect, test } from '@jest/globals';
import type { RawAgent } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
let ada: RawAgent;
beforeAll(async () => {
  ada = await world.raw('Ada');
});

test('a private list refuses the cursor of another caller', async () => {
  const { body } = await ada.post('inbox', { peek: 'true', limit: '1' });
  const other = await world.raw('Other');
  const reply = await other.post('inbox', { peek: 'true', after: body['since'] as string });
  expect(reply).toMatchObject({ status: 400, body: { code: 'after' } });
});
