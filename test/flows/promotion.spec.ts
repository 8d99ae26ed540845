import { beforeAll, describe, expect, test } from '@jest/globals';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { useFaultyWorld } from '../faulty-rpc.js';
import { PurchaseFixture } from '../purchase-fixture.js';
import { type RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { waitUntil } from '../wait-until.js';
import { operatorBeside } from './operator-beside.js';

const { world, faultyRpc } = useFaultyWorld();
let ada: RawAgent;
let ben: RawAgent;

beforeAll(async () => void ([ada, ben] = await world.raws('Ada', 'Ben')));

const refusal = ({ status, body }: Reply) => [status, body['code']];
const TERMS = { title: 'Translate a page', summary: 'One page, from English to French.', done: 'A page is there.' };

const posted = async (by: RawAgent, fields: { readonly [name: string]: string } = {}) =>
  textOf(await by.post('post', { text: 'Look at this.', ...fields }), 'id');
const job = async (by: RawAgent) => (await by.post('job', TERMS)).body['role'] as string;

function purchase(agent: RawAgent, fields: { readonly [name: string]: string }, rail = 'usdc-base') {
  return new PurchaseFixture(world, { endpoint: 'promote', agent, wallet: agent.wallet, fields, rail });
}
async function promoted(agent: RawAgent, fields: { readonly [name: string]: string }): Promise<number> {
  const { status, body } = await purchase(agent, fields).buy();
  expect([status, body['paid']]).toEqual([200, true]);
  return body['promoted_until'] as number;
}

interface Item extends JsonObject {
  readonly id: number;
  readonly data: { readonly role?: string };
  readonly promoted_until: number;
}
interface Feed {
  readonly items: Item[];
  readonly promoted: Item | null;
  readonly next: string | null;
}
const feed = async (query = '') => (await send(world.url, `/api/feed${query}`)).body as unknown as Feed;
const first = async () => (await feed()).promoted;
const rolesIn = async (query = '') => {
  const { body } = await send(world.url, `/api/roles${query}`);
  const roles = body['roles'] as { readonly slug: string; readonly promoted_until: number | null }[];
  return { slugs: roles.map(({ slug }) => slug), roles, next: body['next'] as string | null };
};

/** Returns the slugs of a page of roles and of those after it. */
async function pagesFrom(page: Awaited<ReturnType<typeof rolesIn>>): Promise<string[]> {
  if (page.next === null) return page.slugs;
  return [...page.slugs, ...(await pagesFrom(await rolesIn(`?limit=${page.slugs.length}&after=${page.next}`)))];
}

/** Advances to the next minute of the service clock. */
const nextMinute = () => world.advance(MINUTE_MS - (world.now() % MINUTE_MS) + SECOND_MS);

test('a post and a job take turns in the first slot, longer if paid again', async () => {
  const later = await job(ben);
  const role = await job(ada);
  const older = await job(ben);
  expect((await rolesIn()).slugs).toEqual([older, role, later]);
  const id = await posted(ada);
  await posted(ben);
  expect(await first()).toBeNull();

  const at = world.now();
  const until = await promoted(ada, { post_id: id });
  expect(until).toBeGreaterThanOrEqual(at + DAY_MS);
  expect(until).toBeLessThan(at + DAY_MS + MINUTE_MS);
  const { promoted: shown, items, next } = await feed('?limit=2');
  expect(shown).toMatchObject({ id: Number(id), promoted_until: until });
  expect([...items, ...(await feed(`?limit=50&before=${next}`)).items].map(item => item.id)).not.toContain(Number(id));
  expect((await feed(`?before=${next}`)).promoted).toBeNull();
  expect((await feed('?kind=work')).promoted).toBeNull();
  expect((await first())!.id).toBe(Number(id));
  expect(await promoted(ada, { post_id: id })).toBe(until + DAY_MS);

  const roleUntil = await promoted(ada, { role });
  await nextMinute();
  const { slugs, roles } = await rolesIn();
  expect(slugs).toEqual([role, older, later]);
  expect(roles.map(({ promoted_until }) => promoted_until)).toEqual([roleUntil, null, null]);

  const [now, again] = [await first(), await first()];
  expect(now).toEqual(again);
  await nextMinute();
  const shownItems = [now!, (await first())!].map(({ id, data }) => data.role ?? id);
  expect(shownItems.toSorted()).toEqual([Number(id), role].toSorted());

  // Promoted items come before the regular list.
  await promoted(ben, { role: later });
  await nextMinute();
  const whole = (await rolesIn()).slugs;
  expect(whole.slice(0, 2).toSorted()).toEqual([role, later].toSorted());
  expect(await pagesFrom(await rolesIn('?limit=1'))).toEqual(whole);
  await ben.post('close', { role: later });
  expect((await rolesIn()).slugs).toEqual([role, older]);
  expect((await rolesIn('?all=1')).slugs).toEqual([role, older, later]);

  await world.advance(roleUntil - world.now() + SECOND_MS);
  await nextMinute();
  expect((await first())!.id).toBe(Number(id));
  expect((await rolesIn()).slugs).toEqual([older, role]);
  await ada.post('post_delete', { post_id: id });
  expect(await first()).toBeNull();
});

test('a promoted job answers with the id of its item in the feed', async () => {
  const role = await job(ada);
  const sold = await purchase(ada, { role }).buy();
  expect(sold.body).toMatchObject({ ok: true, role, paid: true });
  const item = textOf(sold, 'post_id');
  expect(item).toMatch(/^\d{13,15}$/);
  const { post } = (await send(world.url, `/api/post/${item}`)).body;
  expect(post).toMatchObject({ kind: 'job', data: { role }, id: Number(item) });
  await ada.post('close', { role });
});

test('a role that is promoted between two pages appears on one page only', async () => {
  const [shown, behind] = [await job(ada), await job(ben)];
  await promoted(ada, { role: shown });
  await nextMinute();
  const first = await rolesIn('?limit=2');
  expect(first.slugs[0]).toBe(shown);
  const others = (await pagesFrom(first)).filter(slug => !first.slugs.includes(slug));
  const next = others.includes(behind) ? behind : others[0]!;
  await promoted(ben, { role: next });
  const paged = await pagesFrom(first);
  expect(paged.filter(slug => slug === next)).toEqual([next]);
  expect(new Set(paged).size).toBe(paged.length);
  await world.advance(DAY_MS + SECOND_MS);
});

test('a promotion needs one existing item of the muse', async () => {
  const tryPromote = async (fields: { readonly [name: string]: string }, by = ada) =>
    refusal(await by.post('promote', fields));
  const post_id = await posted(ada);
  const role = await job(ada);
  expect(await tryPromote({})).toEqual([400, 'post_id']);
  expect(await tryPromote({ post_id, role })).toEqual([400, 'post_id']);
  expect(await tryPromote({ post_id: '1234567890123' })).toEqual([400, 'post_id']);
  expect(await tryPromote({ post_id: '1' })).toEqual([404, 'not_found']);
  expect(await tryPromote({ role: 'job-1' })).toEqual([404, 'not_found']);
  expect(await tryPromote({ post_id }, ben)).toEqual([403, 'not_the_author']);
  expect(await tryPromote({ role }, ben)).toEqual([403, 'not_the_poster']);
  const unsigned = await send(world.url, '/api/promote', { body: {} });
  expect([unsigned.status, unsigned.body['unsigned']]).toEqual([402, expect.any(String)]);
});

test('a promotion ends when the author of its post is forgotten', async () => {
  const eve = await world.raw('Eve');
  const id = await posted(eve);
  await promoted(eve, { post_id: id });
  await nextMinute();
  expect((await first())!.id).toBe(Number(id));
  expect((await eve.post('forget', { confirm: eve.museId })).body).toMatchObject({ ok: true });
  await world.settle();
  expect(await first()).toBeNull();
});

test('promotions of suspended and forgotten muses leave equal turns to the others', async () => {
  const muses = await world.raws('First', 'Second', 'Misbehaving', 'Leaving');
  const [, , suspended, forgotten] = muses;
  const [first, second, third, fourth] = await Promise.all(muses.map(muse => posted(muse)));
  // The absent ones have their turns between the others.
  await promoted(muses[0], { post_id: first! });
  await promoted(suspended, { post_id: third! });
  await promoted(forgotten, { post_id: fourth! });
  await promoted(muses[1], { post_id: second! });
  /** Returns how many minutes each item has the slot. */
  const turns = async (minutes: number) => {
    const counts: { [id: string]: number } = {};
    for (let minute = 0; minute < minutes; minute += 1) {
      await nextMinute();
      const { id } = (await feed()).promoted!;
      counts[id] = (counts[id] ?? 0) + 1;
    }
    return counts;
  };
  expect(await turns(4)).toEqual({ [first!]: 1, [second!]: 1, [third!]: 1, [fourth!]: 1 });
  await operatorBeside(world, ['suspend', suspended.museId]);
  expect((await forgotten.post('forget', { confirm: forgotten.museId })).body).toMatchObject({ ok: true });
  await world.settle();
  expect(await turns(4)).toEqual({ [first!]: 2, [second!]: 2 });
  await operatorBeside(world, ['reinstate', suspended.museId]);
  await world.settle();
  expect(await turns(6)).toEqual({ [first!]: 2, [second!]: 2, [third!]: 2 });
});

describe('an item that disappears', () => {
  /** Pays, and runs an action before the chain answers this method. */
  async function meanwhile(buying: PurchaseFixture, method: string, happens: () => Promise<unknown>) {
    const wire = faultyRpc.of(buying.terms.rail);
    const signed = await buying.sign();
    const before = await buying.transfers(signed);
    let letGo = () => {};
    faultyRpc.mend();
    wire.set({ until: new Promise<void>(resolve => (letGo = resolve)) }, { method, times: 1 });
    const paying = buying.payUntilSettled(signed);
    await waitUntil(() => wire.seen.flat().includes(method));
    await happens();
    letGo();
    const reply = await paying;
    return { reply, charged: (await buying.transfers(signed)).length - before.length };
  }

  test('before the transfer charges nothing', async () => {
    const post_id = await posted(ada);
    const gone = () => ada.post('post_delete', { post_id });
    const { reply, charged } = await meanwhile(purchase(ada, { post_id }), 'eth_call', gone);
    expect([refusal(reply), charged]).toEqual([[409, 'not_promotable'], 0]);
  });

  test('after the transfer gives a void purchase', async () => {
    const post_id = await posted(ada);
    const role = await job(ben);
    const paid = await meanwhile(purchase(ada, { post_id }), 'eth_sendRawTransaction', () =>
      ada.post('post_delete', { post_id }),
    );
    expect(paid).toMatchObject({ reply: { status: 200, body: { paid: true, void: 'post_deleted' } }, charged: 1 });
    const closed = await meanwhile(purchase(ben, { role }, 'usdg-robinhood'), 'eth_sendRawTransaction', () =>
      ben.post('close', { role }),
    );
    expect(closed).toMatchObject({ reply: { status: 200, body: { paid: true, void: 'role_closed' } }, charged: 1 });
    expect(await world.eventTypes(`post-${post_id}`)).toEqual(['Posted', 'PostDeleted']);
  });
});
