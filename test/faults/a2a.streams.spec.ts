import { expect, test } from '@jest/globals';
import { a2aOf, message, VERSION } from '../a2a.js';
import { useWorld } from '../use-world.js';

const world = useWorld();

const { member, ask } = a2aOf(() => world.url);
const QUIET_MS = 60_000;

test('ends the streams of a job without applications after 60 s without a change', async () => {
  const as = await member();
  const { id } = await ask(message('Translate the manual into French.'), as);
  const headers = { ...VERSION, ...as, 'content-type': 'application/json' };
  const begunAt = Date.now();
  const subscribed = fetch(`${world.url}/a2a/tasks/${id}:subscribe`, { headers });
  const body = JSON.stringify(message('Translate another page into French.'));
  const sent = fetch(`${world.url}/a2a/message:stream`, { method: 'POST', headers, body });
  for (const stream of [subscribed, sent]) {
    const text = await (await stream).text();
    expect(text).toMatch(/^data: /);
    expect(text).not.toContain('error');
    expect(Date.now() - begunAt).toBeGreaterThanOrEqual(QUIET_MS);
  }
  expect(Date.now() - begunAt).toBeLessThan(QUIET_MS + 15_000);
}, 120_000);
