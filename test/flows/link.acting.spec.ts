import { describe, expect, test } from '@jest/globals';
import { type RawAgent, type Reply, textOf } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
const says = ({ status, body }: Reply) => [status, body['code'] ?? 'ok'];
const linked = async (earlier: RawAgent, now: RawAgent) =>
  expect(await now.link(earlier)).toMatchObject({ status: 200 });
const DELIVERY = () => ({ url: world.page('done') });
const REASON = 'One page of it is missing.';
const RECHECK = { result: 'held', scope: 'Read all of it.' };
const BUDGET = { budget_usd: '2' };

const record = async (hire: string) => (await world.read(`/api/record/hire/${hire}`))['record'];

describe('the newer identity', () => {
  test('acts as worker of a delivered hire of the earlier one, which stays the party', async () => {
    const [poster, earlier, now, checker] = await world.raws('Poster A', 'Worker A', 'Worker A now', 'Checker A');
    const { hire } = await poster.hire(earlier, BUDGET);
    const post_id = textOf(await earlier.ok('post', { text: 'The second version.' }), 'id');
    await earlier.ok('deliver', { hire, ...DELIVERY() });
    await linked(earlier, now);

    expect(await now.post('deliver', { hire, post_id })).toMatchObject({ status: 200 });
    const recheck = textOf(await checker.ok('recheck', { hire, ...RECHECK }), 'recheck');
    expect(says(await now.post('recheck_reply', { hire, recheck, text: 'Thank you.' }))).toEqual([200, 'ok']);
    expect(await world.newest(`hire-${hire}`, 'RecheckReplied')).toMatchObject({
      actor: now.museId,
      data: { by: earlier.museId },
    });
    expect(await now.post('dispute', { hire, reason: REASON })).toMatchObject({
      body: { dispute: { by: earlier.museId, reason: REASON, state: 'open' } },
    });
    expect(await now.post('dispute', { hire, withdraw: 'true' })).toMatchObject({
      body: { dispute: { by: earlier.museId, state: 'withdrawn' } },
    });
    expect(says(await now.post('end_hire', { hire, reason: REASON }))).toEqual([409, 'delivered_already']);
    expect(says(await now.post('accept', { hire }))).toEqual([403, 'not_the_poster']);
    expect(says(await earlier.post('deliver', { hire, post_id }))).toEqual([403, 'linked']);
  });

  test('accepts, disputes, ends and pays for the earlier one, and sees its jobs', async () => {
    const [earlier, now, worker, stranger] = await world.raws('Poster B', 'Poster B now', 'Worker B', 'Stranger B');
    const { role, hire } = await earlier.hire(worker, BUDGET);
    const { hire: undelivered } = await earlier.hire(worker);
    await worker.ok('deliver', { hire, ...DELIVERY() });
    await earlier.ok('dispute', { hire, reason: REASON });
    await worker.buy('verify', { wallet: worker.wallet.address });
    const own = await now.postJob();
    await linked(earlier, now);

    expect(says(await now.post('promote', { role }))).toEqual([409, 'role_closed']);
    expect(await now.post('accept', { hire, note: 'Fine.' })).toMatchObject({
      body: { acceptance: { by: earlier.museId } },
    });
    expect(await world.newest(`hire-${hire}`, 'Accepted')).toMatchObject({
      actor: now.museId,
      data: { by: earlier.museId },
    });
    expect(await now.post('dispute', { hire, withdraw: 'true' })).toMatchObject({
      body: { dispute: { by: earlier.museId } },
    });
    expect(await now.buy('pay', { hire })).toMatchObject({ status: 200, body: { paid: true } });
    expect(await now.post('end_hire', { hire: undelivered, reason: REASON })).toMatchObject({
      body: { ended: { by: earlier.museId } },
    });
    expect(says(await stranger.post('accept', { hire }))).toEqual([403, 'not_the_poster']);

    expect(await now.post('applications', { role })).toMatchObject({
      body: { applications: [{ muse_id: worker.museId }] },
    });
    expect(says(await now.post('close', { role }))).toEqual([200, 'ok']);
    expect(says(await now.post('hire', { role, to: stranger.museId }))[0]).toBe(409);
    const rolesOf = (reply: Reply) =>
      (reply.body['tasks'] as unknown as readonly { readonly role: { readonly slug: string } }[]).map(
        ({ role }) => role.slug,
      );
    const all = await now.ok('tasks');
    expect([rolesOf(all).length, all.body['total'], rolesOf(all)[0]]).toEqual([3, 3, own]);
    const paged: string[] = [];
    let after: string | undefined;
    do {
      const page = await now.ok('tasks', { limit: '1', ...(after && { after }) });
      paged.push(...rolesOf(page));
      after = (page.body['next'] as string | null) ?? undefined;
    } while (after !== undefined);
    expect(paged).toEqual(rolesOf(all));
    expect(rolesOf(await now.ok('tasks', { role }))).toEqual([role]);
    const { hires } = (await now.ok('hires', { as: 'poster' })).body as unknown as {
      hires: readonly { hire: number }[];
    };
    expect(hires.map(each => String(each.hire))).toEqual([undelivered, hire]);
  });
});

test('a link is refused while the newer identity owes the earlier one a wage', async () => {
  const [earlier, now] = await world.raws('Is owed', 'Owes');
  const { hire } = await now.hire(earlier, BUDGET);
  await earlier.ok('deliver', { hire, ...DELIVERY() });
  expect(says(await now.link(earlier))).toEqual([409, 'wage_owed']);
  await earlier.ok('profile', { payout_address: earlier.wallet.address });
  await now.buy('pay', { hire });
  await linked(earlier, now);
});

describe('after a link', () => {
  test('the two identities cannot deal with each other in a hire from before', async () => {
    const [earlier, now, third] = await world.raws('Poster C', 'Worker C', 'Third C');
    const role = await earlier.postJob({ seats: '2' });
    const hire = await earlier.hireFor(role, now);
    await now.ok('deliver', { hire, ...DELIVERY() });
    const recheck = textOf(await third.ok('recheck', { hire, ...RECHECK }), 'recheck');
    await now.ok('dispute', { hire, reason: REASON });
    const { hire: undelivered } = await earlier.hire(now);
    await linked(earlier, now);

    const refused = [409, 'with_itself'];
    for (const [endpoint, fields] of [
      ['accept', { hire }],
      ['pay', { hire }],
      ['dispute', { hire, reason: `${REASON} Two even.` }],
      ['dispute', { hire, withdraw: 'true' }],
      ['recheck', { hire, ...RECHECK }],
      ['recheck_reply', { hire, recheck, text: 'Thank you.' }],
      ['deliver', { hire, ...DELIVERY() }],
      ['apply', { role, note: 'Once more.' }],
      ['hire', { role, to: now.museId }],
      ['hire', { role: await now.postJob(), to: earlier.museId }],
    ] as const)
      expect([endpoint, ...says(await now.post(endpoint, fields))]).toEqual([endpoint, ...refused]);
    expect(await now.post('end_hire', { hire: undelivered, reason: REASON })).toMatchObject({ status: 200 });
  });

  test('the texts of the newer identity stay with it, and end with it', async () => {
    const [poster, earlier, now] = await world.raws('Poster E', 'Earlier E', 'Now E');
    const { hire } = await poster.hire(earlier);
    const other = (await earlier.hire(poster)).hire;
    for (const [worker, each] of [
      [earlier, hire],
      [poster, other],
    ] as const)
      await worker.ok('deliver', { hire: each, ...DELIVERY() });
    const recheck = textOf(await (await world.raw('Checker E')).ok('recheck', { hire, ...RECHECK }), 'recheck');
    await linked(earlier, now);
    const words = 'Written by the newer one.';
    await now.ok('deliver', { hire, ...DELIVERY(), note: words });
    await now.ok('recheck_reply', { hire, recheck, text: words });
    await now.ok('dispute', { hire, reason: words });
    await now.ok('accept', { hire: other, note: words });
    const texts = async () => JSON.stringify([await record(hire), await record(other)]).split(words).length - 1;
    await earlier.ok('forget', { confirm: earlier.museId });
    expect(await texts()).toBe(5);
    await now.ok('forget', { confirm: now.museId });
    expect(await texts()).toBe(0);
  });

  test('the two identities cannot recheck or answer each other on hires with others', async () => {
    const [poster, earlier, now] = await world.raws('Poster D', 'Earlier D', 'Now D');
    const { hire } = await poster.hire(now);
    const { hire: other } = await poster.hire(earlier);
    await now.ok('deliver', { hire, ...DELIVERY() });
    await earlier.ok('deliver', { hire: other, ...DELIVERY() });
    const recheck = textOf(await earlier.ok('recheck', { hire, ...RECHECK }), 'recheck');
    await linked(earlier, now);
    const reply = { hire, recheck, text: 'Thank you.' };
    expect(says(await now.post('recheck_reply', reply))).toEqual([409, 'with_itself']);
    expect(says(await now.post('recheck', { hire: other, ...RECHECK }))).toEqual([409, 'with_itself']);
    expect(says(await now.post('recheck', { hire, ...RECHECK }))).toEqual([403, 'not_a_third_party']);
    expect(says(await poster.post('recheck_reply', reply))).toEqual([200, 'ok']);
  });
});
