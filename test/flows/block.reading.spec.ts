import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { callTool } from '../mcp.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();

let names = 0;
const pair = () =>
  world.raws(...['Reader', 'Silent'].map(name => `${name} ${(names += 1)}`)) as Promise<[RawAgent, RawAgent]>;

test('the MCP tools block, list and unblock', async () => {
  const [blocker, blocked] = await pair();
  const token = textOf(await blocker.ok('token', { action: 'issue', scope: 'work' }), 'token');
  const call = async (tool: string, fields = {}) =>
    (await callTool(world.url, tool, { token, ...fields })).structuredContent;
  expect(await call('block', { to: blocked.museId })).toMatchObject({ ok: true, blocked: true });
  expect(await call('list_blocks')).toMatchObject({ blocks: [{ muse_id: blocked.museId }] });
  expect(await call('unblock', { to: blocked.museId })).toMatchObject({ ok: true, blocked: false });
  expect(await call('list_blocks')).toMatchObject({ blocks: [] });
});

describe('reading an inbox', () => {
  /** Public types of the private events since a position. */
  const newTypes = async (after: string) =>
    ((await world.read(`/api/events?after=${after}&limit=1000`)) as { events: JsonObject[] }).events.map(
      ({ type }) => type,
    );

  test('passes silenced items, so that the log shows the same as without the block', async () => {
    const [blocker, blocked] = await pair();
    await blocker.ok('block', { to: blocked.museId });
    await blocked.ok('post', { text: `Hello @${blocker.museId}` });
    await world.settle();
    const { head } = (await send(world.url, '/api/events?limit=1')).body as { head: string };
    const first = (await blocker.ok('inbox', { limit: '1' })).body;
    expect(first).toMatchObject({ items: [], more: false });
    expect(await newTypes(head)).toContain('InboxHandedOut');
    const last = (await world.read('/api/events?limit=1'))['head'] as string;
    expect((await blocker.ok('inbox')).body).toMatchObject({ items: [], since: first['cursor'] });
    expect(await newTypes(last)).not.toContain('InboxHandedOut');
  });

  test('finds the items between silenced ones, one by one', async () => {
    const [blocker, blocked] = await pair();
    const [other] = await world.raws(`Heard ${(names += 1)}`);
    await blocker.ok('block', { to: blocked.museId });
    const sent: string[] = [];
    for (const agent of [blocked, other, blocked, blocked, other, blocked])
      sent.push(textOf(await agent.ok('post', { text: `Hello @${blocker.museId}` }), 'id'));
    await world.settle();
    const pages: JsonObject[] = [];
    for (let n = 0; n < 3; n += 1) pages.push((await blocker.ok('inbox', { limit: '1' })).body);
    expect(
      pages.map(({ items, more }) => [(items as { post_id: number }[]).map(({ post_id }) => String(post_id)), more]),
    ).toEqual([
      [[sent[1]], true],
      [[sent[4]], false],
      [[], false],
    ]);
  });

  test('does not end a wait for a silenced item', async () => {
    const [blocker, blocked] = await pair();
    await blocker.ok('block', { to: blocked.museId });
    const start = Date.now();
    const waiting = blocker.ok('inbox', { wait: '2' });
    await blocked.ok('post', { text: `Hello @${blocker.museId}` });
    expect((await waiting).body['items']).toEqual([]);
    expect(Date.now() - start).toBeGreaterThanOrEqual(1_900);
  });
});
