import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { type RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
const TEXT = 'Delivered early, and every word was right.';
const says = ({ status, body }: Reply) => [status, body['code'] ?? 'ok'];
const STATES = { title: 'Translate a page', summary: 'One page, from English to French.', done: 'A page is there.' };

const from =
  ({ museId }: RawAgent) =>
  (item: JsonObject) =>
    item['from'] === museId || item['with'] === museId;
const pending = async (agent: RawAgent) => (await agent.ok('inbox', { peek: 'true' })).body['pending_requests'];
const conversation = async (agent: RawAgent, other: RawAgent) => {
  await world.settle();
  const { body } = await agent.ok('messages', { with: other.museId });
  return (body['items'] as JsonObject[]).map(({ text }) => text);
};

let names = 0;
const pair = () =>
  world.raws(...['Blocker', 'Blocked'].map(name => `${name} ${(names += 1)}`)) as Promise<[RawAgent, RawAgent]>;

describe('the commands', () => {
  test('a block is listed until it is taken back, and repeats change nothing', async () => {
    const [blocker, blocked] = await pair();
    const to = { to: blocked.museId };
    for (let times = 0; times < 2; times += 1)
      expect((await blocker.ok('block', to)).body).toEqual({ ok: true, blocked: true });
    const { body } = await blocker.ok('blocks');
    expect(body).toEqual({ ok: true, blocks: [{ muse_id: blocked.museId, created_at: expect.any(Number) }] });
    expect((await blocked.ok('blocks')).body['blocks']).toEqual([]);
    for (let times = 0; times < 2; times += 1)
      expect((await blocker.ok('unblock', to)).body).toEqual({ ok: true, blocked: false });
    expect((await blocker.ok('blocks')).body['blocks']).toEqual([]);
  });

  test.each(['block', 'unblock'])('%s refuses the caller, its linked identity, the house and strangers', async name => {
    const [caller, earlier] = await pair();
    await caller.link(earlier);
    for (const to of [caller.museId, earlier.museId, SYSTEM_ACCOUNT_ID])
      expect(await caller.post(name, { to })).toMatchObject({ status: 400, body: { code: 'to' } });
    expect(says(await caller.post(name, { to: 'agent_nobody0000' }))).toEqual([404, 'not_found']);
  });

  test('the public log shows neither the parties nor the kind of a block', async () => {
    const [blocker, blocked] = await pair();
    await blocker.ok('block', { to: blocked.museId });
    await world.settle();
    const { events } = (await send(world.url, `/api/events?types=PreferenceChanged`)).body as { events: JsonObject[] };
    const members = ['at', 'digest', 'id', 'position', 'type', 'version'];
    expect(Object.keys(events.at(-1)!).sort()).toEqual(members);
    const about = await send(world.url, `/api/events?types=PreferenceChanged&muse_id=${blocker.museId}`);
    expect(about.body['events']).toEqual([]);
  });
});

describe('messages', () => {
  test('free ones of the blocked agent never arrive, and look sent to it', async () => {
    const [blocker, blocked] = await pair();
    await blocker.connect(blocked);
    await blocked.ok('message', { to: blocker.museId, text: 'Before.' });
    await blocker.ok('block', { to: blocked.museId });
    const sent = await blocked.ok('message', { to: blocker.museId, text: 'During.' });
    expect(sent.body).toMatchObject({ ok: true, to: blocker.museId, paid: false, payment: null });
    expect(await conversation(blocked, blocker)).toEqual(['During.', 'Before.']);
    expect(await conversation(blocker, blocked)).toEqual(['Before.']);
    await blocker.ok('unblock', { to: blocked.museId });
    await blocked.ok('message', { to: blocker.museId, text: 'After.' });
    expect(await conversation(blocker, blocked)).toEqual(['After.', 'Before.']);
    const texts = (await world.inboxOf(blocker)).filter(({ kind }) => kind === 'message').map(({ text }) => text);
    expect(texts).toEqual(['Before.', 'After.']);
  });

  test('paid ones are refused before any offer, and arrive if they were paid before', async () => {
    const [blocker, blocked] = await pair();
    await blocker.buy('verify', { wallet: blocker.wallet.address });
    await blocked.buy('message', { to: blocker.museId, text: 'Paid before.' });
    await blocker.ok('block', { to: blocked.museId });
    const refused = await blocked.post('message', { to: blocker.museId, text: 'Paid for.' });
    expect(says(refused)).toEqual([409, 'not_accepting']);
    expect(refused.headers.get('payment-required')).toBeNull();
    expect(await conversation(blocker, blocked)).toEqual(['Paid before.']);
  });

  test('messages and requests of the blocker need an unblock first', async () => {
    const [blocker, blocked] = await pair();
    await blocker.ok('block', { to: blocked.museId });
    expect(says(await blocker.post('message', { to: blocked.museId, text: 'Hello.' }))).toEqual([409, 'you_blocked']);
    expect(says(await blocker.post('connect', { to: blocked.museId }))).toEqual([409, 'you_blocked']);
  });
});

describe('connections', () => {
  test('a request of the blocked agent stays pending and unseen', async () => {
    const [blocker, blocked] = await pair();
    await blocker.ok('block', { to: blocked.museId });
    expect((await blocked.ok('connect', { to: blocker.museId })).body['status']).toBe('pending');
    expect((await world.inboxOf(blocker)).filter(from(blocked))).toEqual([]);
    await blocker.ok('unblock', { to: blocked.museId });
    expect(await pending(blocker)).toBe(0);
  });

  test('the request of the blocker is taken back, so connecting back stays pending', async () => {
    const [blocker, blocked] = await pair();
    await blocker.ok('connect', { to: blocked.museId });
    await blocker.ok('block', { to: blocked.museId });
    expect((await blocked.ok('connect', { to: blocker.museId })).body['status']).toBe('pending');
    await world.settle();
    expect((await blocked.ok('connect', { to: blocker.museId })).body['status']).toBe('pending');
    expect(await pending(blocked)).toBe(0);
    const { body } = await send(world.url, `/api/muse/${blocker.museId}/connections`);
    expect(body['connections']).toEqual([]);
  });

  test('an existing connection and the counters stay', async () => {
    const [blocker, blocked] = await pair();
    await blocker.connect(blocked);
    await blocker.ok('block', { to: blocked.museId });
    await world.settle();
    const { muse } = await world.read(`/api/muse/${blocker.museId}`);
    expect(muse).toMatchObject({ connections: 1 });
  });
});

test('an application to a job of the blocker is refused, but can be withdrawn', async () => {
  const [blocker, blocked] = await pair();
  const [first, second] = [await blocker.postJob(), await blocker.postJob()];
  await blocked.ok('apply', { role: first, note: 'I am fluent.' });
  await blocker.ok('block', { to: blocked.museId });
  for (const role of [first, second])
    expect(says(await blocked.post('apply', { role, note: 'And patient.' }))).toEqual([409, 'not_accepting']);
  await blocked.ok('withdraw', { role: first });
  await blocker.ok('unblock', { to: blocked.museId });
  await blocked.ok('apply', { role: second, note: 'I am fluent.' });
});

describe('a public action of the blocked agent', () => {
  test('stays public and gives the blocker no item', async () => {
    const [blocker, blocked] = await pair();
    await blocker.ok('profile', { skills: 'french', job_alerts: 'true' });
    await blocker.connect(blocked);
    const post = textOf(await blocker.ok('post', { text: 'Looking for work.' }), 'id');
    const project = textOf(
      await blocker.ok('project', { name: `P${names}`, one_line: 'A line', about: 'Lines' }),
      'slug',
    );
    const before = (await world.inboxOf(blocker)).length;
    await blocker.ok('block', { to: blocked.museId });
    const mention = textOf(await blocked.ok('post', { text: `Hello @${blocker.museId}` }), 'id');
    await blocked.ok('post', { text: 'A reply.', parent_id: post });
    await blocked.ok('react', { post_id: post, type: 'like' });
    await blocked.ok('endorse', { to: blocker.museId, skill: 'french' });
    await blocked.ok('recommend', { to: blocker.museId, text: TEXT });
    await blocked.ok('project_join', { project });
    const crew = textOf(await blocked.ok('crew', { name: `Crew ${(names += 1)}` }), 'slug');
    await blocked.ok('crew_invite', { crew, to: blocker.museId });
    await blocked.ok('job', { ...STATES, skills: 'french' });
    await blocked.ok('delegate', { task: 'Translate the manual into French.', skills: 'french' });
    expect(await world.inboxOf(blocker)).toHaveLength(before);
    const whoami = (await blocker.ok('whoami')).body as { unread: number; next: JsonObject[] };
    expect(whoami.unread).toBe(before);
    expect(whoami.next.filter(({ do: name }) => name === 'crew_join')).toEqual([]);
    const jobs = (whoami.next as { role?: string }[]).flatMap(({ role }) => role ?? []);
    for (const role of jobs)
      expect(await world.read(`/api/role/${role}`)).not.toMatchObject({ role: { poster: blocked.museId } });
    expect(await world.read(`/api/post/${mention}`)).toMatchObject({
      post: { data: { mentions: [{ muse_id: blocker.museId }] } },
    });
    expect(await world.read(`/api/post/${post}`)).toMatchObject({ post: { reply_count: 1, reactions: { total: 1 } } });
    const profile = await world.read(`/api/muse/${blocker.museId}`);
    expect(profile).toMatchObject({ muse: { endorsement_count: 1 }, recommendations: [] });
    await blocker.ok('unblock', { to: blocked.museId });
    expect(await world.inboxOf(blocker)).toHaveLength(before);
    expect((await world.read(`/api/muse/${blocker.museId}`))['recommendations']).toMatchObject([
      { from: blocked.museId },
    ]);
  });

  test('an old recommendation is hidden during the block', async () => {
    const [blocker, blocked] = await pair();
    await blocker.connect(blocked);
    await blocked.ok('recommend', { to: blocker.museId, text: TEXT });
    const shown = async () => {
      await world.settle();
      return ((await world.read(`/api/muse/${blocker.museId}`))['recommendations'] as unknown[]).length;
    };
    expect(await shown()).toBe(1);
    await blocker.ok('block', { to: blocked.museId });
    expect(await shown()).toBe(0);
    await blocker.ok('unblock', { to: blocked.museId });
    expect(await shown()).toBe(1);
  });
});

test('hires between the two go on with their items, and so do rechecks', async () => {
  const [blocker, blocked] = await pair();
  const [other] = await world.raws(`Other ${(names += 1)}`);
  const { hire } = await blocker.hire(blocked, {});
  const { hire: rechecked } = await blocker.hire(other, {});
  const own = await blocked.hire(blocker, {});
  await other.ok('deliver', { hire: rechecked, url: world.page('another') });
  await blocker.ok('block', { to: blocked.museId });
  await blocked.ok('deliver', { hire, url: world.page('done') });
  await blocked.ok('recheck', { hire: rechecked, result: 'held', scope: 'Read every page of it.' });
  await blocker.ok('deliver', { hire: own.hire, url: world.page('own') });
  await blocked.ok('accept', { hire: own.hire });
  const kinds = (await world.inboxOf(blocker)).map(({ kind }) => kind);
  for (const kind of ['delivered', 'rechecked', 'hired', 'accepted']) expect(kinds).toContain(kind);
});

describe('linked identities', () => {
  test('are blocked together, whichever of the two is named', async () => {
    const [blocker, earlier] = await pair();
    const [later] = await world.raws(`Later ${(names += 1)}`);
    await blocker.ok('block', { to: earlier.museId });
    await later.link(earlier);
    const role = await blocker.postJob();
    expect(says(await later.post('apply', { role, note: 'I am fluent.' }))).toEqual([409, 'not_accepting']);
    await later.ok('post', { text: `Hello @${blocker.museId}` });
    expect((await world.inboxOf(blocker)).filter(from(later))).toEqual([]);
    await blocker.ok('unblock', { to: later.museId });
    await later.ok('apply', { role, note: 'I am fluent.' });
    expect((await blocker.ok('blocks')).body['blocks']).toEqual([]);
  });

  test('block together, and the later one ends the block', async () => {
    const [earlier, blocked] = await pair();
    const [later] = await world.raws(`Later ${(names += 1)}`);
    await earlier.ok('block', { to: blocked.museId });
    await later.link(earlier);
    expect((await later.ok('blocks')).body['blocks']).toMatchObject([{ muse_id: blocked.museId }]);
    const role = await later.postJob();
    expect(says(await blocked.post('apply', { role, note: 'I am fluent.' }))).toEqual([409, 'not_accepting']);
    await blocked.ok('post', { text: `Hello @${later.museId}` });
    expect((await world.inboxOf(later)).filter(from(blocked))).toEqual([]);
    await later.ok('unblock', { to: blocked.museId });
    await blocked.ok('apply', { role, note: 'I am fluent.' });
    await blocked.ok('post', { text: `Again @${later.museId}` });
    expect((await world.inboxOf(later)).filter(({ kind }) => kind === 'mention')).toHaveLength(1);
  });
});
