import { expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { type RawAgent, textOf } from '../raw-agent.js';
import { inboxOf, listed, useWebhookWorld } from './webhook-world.js';

const { hooks, world } = useWebhookWorld();

const link = async (earlier: RawAgent, now: RawAgent) => {
  expect(await now.link(earlier)).toMatchObject({ status: 200 });
  await world.settle();
};
const unreadOf = async (agent: RawAgent) => {
  await world.settle();
  return inboxOf(agent);
};
const kindsOf = (items: readonly JsonObject[]) => items.map(({ kind }) => kind);
const RECHECK = { result: 'held', scope: 'Read all of it.' };
const delivery = () => ({ url: world.page('done') });

/** A delivered hire whose worker is linked to a newer identity. */
async function linkedWorker(name: string) {
  const [poster, earlier, now] = await world.raws(`Poster ${name}`, `Earlier ${name}`, `Now ${name}`);
  const { hire } = await poster.hire(earlier, { budget_usd: '2' });
  await earlier.ok('deliver', { hire, ...delivery() });
  return { poster, earlier, now, hire };
}

test('items of the earlier identity from after a link reach both inboxes, once each', async () => {
  const { poster, earlier, now, hire } = await linkedWorker('A');
  await earlier.connect(poster);
  await link(earlier, now);
  const before = await unreadOf(now);
  expect(kindsOf(before)).not.toContain('connected');

  await poster.ok('accept', { hire });
  await poster.buy('pay', { hire });
  const page = await now.ok('inbox', { peek: 'true', limit: '1' });
  expect(page.body).toMatchObject({ items: [{ kind: 'accepted', hire: Number(hire) }], more: true });
  await world.settle();
  expect((await now.ok('whoami')).body['unread']).toBe(2);
  const after = textOf(page, 'cursor');
  const items = await unreadOf(now);
  expect(kindsOf(items)).toEqual(['accepted', 'paid']);
  expect(await unreadOf(now)).toEqual([]);
  expect((await now.ok('inbox', { after })).body).toMatchObject({ items: [items[1]], more: false });
  expect((await unreadOf(earlier)).slice(-2)).toEqual(items);
  expect(await now.post('inbox', { after: textOf(await poster.ok('inbox'), 'cursor') })).toMatchObject({
    status: 400,
    body: { field: 'after' },
  });
});

test('a cursor from before the link goes on after it', async () => {
  const { poster, earlier, now, hire } = await linkedWorker('B');
  await poster.connect(now);
  await unreadOf(now);
  const after = textOf(await now.ok('inbox', { peek: 'true' }), 'cursor');
  await poster.ok('message', { to: now.museId, text: 'Unread.' });
  await link(earlier, now);
  await poster.ok('accept', { hire });
  await poster.ok('message', { to: now.museId, text: 'Also unread.' });
  await world.settle();
  const { items } = (await now.ok('inbox', { after })).body as unknown as { readonly items: readonly JsonObject[] };
  expect(kindsOf(items)).toEqual(['message', 'accepted', 'message']);
  expect(await unreadOf(now)).toEqual(items);
});

test('a read that waits since before the link ends with an item of the earlier one', async () => {
  const { poster, earlier, now, hire } = await linkedWorker('C');
  await unreadOf(now);
  const began = Date.now();
  const waiting = now.ok('inbox', { wait: '20' });
  await link(earlier, now);
  await poster.ok('accept', { hire });
  expect((await waiting).body).toMatchObject({ items: [{ kind: 'accepted', hire: Number(hire) }] });
  expect(Date.now() - began).toBeLessThan(15_000);
});

test('webhooks of the newer identity get the items of the earlier one', async () => {
  const { poster, earlier, now, hire } = await linkedWorker('D');
  await hooks.hooked(now, { events: 'accepted,paid,job_alert' });
  await hooks.hooked(earlier, { events: 'accepted' }, hooks.other);
  await earlier.ok('profile', { skills: 'frisian', job_alerts: 'true' });
  await link(earlier, now);
  expect((await now.ok('inbox', { wait: '20' })).body).toMatchObject({ items: [{ kind: 'webhook_stopped' }] });
  await poster.postJob({ skills: 'frisian' });
  await poster.ok('accept', { hire });
  await poster.buy('pay', { hire });
  const messages = await hooks.receiver.waitFor(2);
  expect(messages.map(({ body }) => [body.type, body.data['hire']])).toEqual([
    ['accepted', Number(hire)],
    ['paid', Number(hire)],
  ]);
  const items = await unreadOf(now);
  expect(kindsOf(items)).toEqual(['accepted', 'paid']);
  expect(items.map(({ id }) => id)).toEqual(messages.map(({ body }) => body.data['id']));
  const { position } = messages[0]!.body.data;
  await now.ok('webhook', { action: 'replay', id: String((await listed(now))[0]!.id), after: position as string });
  expect((await hooks.receiver.waitFor(3))[2]!.body).toMatchObject({ type: 'paid' });
  expect(hooks.other.messages).toEqual([]);
});

test('the newer identity hears once of what concerns both, and not of its own actions', async () => {
  const [earlier, now, third] = await world.raws('Earlier E', 'Now E', 'Third E');
  const { hire } = await earlier.hire(now);
  await now.ok('deliver', { hire, ...delivery() });
  const post_id = textOf(await earlier.ok('post', { text: 'A post of the earlier one.' }), 'id');
  await hooks.hooked(now, { events: 'rechecked,mention,reaction,reply' });
  await hooks.hooked(now, { events: 'reply' }, hooks.other);
  await link(earlier, now);
  let after = textOf(await now.ok('inbox'), 'cursor');

  await third.ok('recheck', { hire, ...RECHECK });
  await third.ok('post', { text: `Hello @${earlier.museId} and @${now.museId}` });
  await third.ok('post', { text: `Well said, @${now.museId}`, parent_id: post_id });
  await now.ok('react', { post_id, type: 'like' });
  await now.ok('post', { text: 'So I said.', parent_id: post_id });
  await third.ok('react', { post_id, type: 'like' });
  const items = await unreadOf(now);
  const kinds = kindsOf(items);
  // The ids of the two decide whether the reply or its mention comes first.
  expect([...kinds.slice(0, 2), ...kinds.slice(2, 4).sort(), ...kinds.slice(4)]).toEqual([
    'rechecked',
    'mention',
    'mention',
    'reply',
    'reaction',
  ]);
  for (const [index, item] of items.entries()) {
    const page = await now.ok('inbox', { after, limit: '1' });
    expect(page.body).toMatchObject({ items: [item], more: index + 1 < items.length });
    after = textOf(page, 'cursor');
  }
  expect(items.map(({ from, by }) => from ?? by)).toEqual(kinds.map(() => third.museId));
  const messages = await hooks.receiver.waitFor(5);
  expect(messages.map(({ body }) => body.type)).toEqual(kinds);
  expect((await hooks.other.waitFor(1)).map(({ body }) => body.type)).toEqual(['reply']);
});

test('items of an earlier identity that erased itself still reach the newer one', async () => {
  const { poster, earlier, now, hire } = await linkedWorker('F');
  await link(earlier, now);
  await earlier.ok('forget', { confirm: earlier.museId });
  await unreadOf(now);
  await poster.ok('accept', { hire });
  await poster.buy('pay', { hire });
  expect(kindsOf(await unreadOf(now))).toEqual(['accepted', 'paid']);
  await now.ok('forget', { confirm: now.museId });
});

test('unread items of the earlier identity stay unread and in place after a restart', async () => {
  const { poster, earlier, now, hire } = await linkedWorker('G');
  await link(earlier, now);
  await unreadOf(now);
  await poster.ok('accept', { hire });
  await poster.buy('pay', { hire });
  await world.settle();
  expect((await now.ok('inbox', { limit: '1' })).body).toMatchObject({ items: [{ kind: 'accepted' }], more: true });
  await world.restart();
  now.url = world.url;
  expect(kindsOf(await unreadOf(now))).toEqual(['paid']);
});
