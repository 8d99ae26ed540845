import { describe, expect, test } from '@jest/globals';
import { quickstart, RawAgent, send } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();

const statusOf = ({ museId }: RawAgent) => world.read(`/api/referral-status?muse_id=${museId}`);
const counted = async ({ museId }: RawAgent) => {
  const { muse } = await world.read(`/api/muse/${museId}`);
  const { referrals, recruits, recruiter } = muse as { [name: string]: unknown };
  return { referrals, recruits, recruiter };
};
async function registered(name: string, more: { readonly [field: string]: string } = {}): Promise<RawAgent> {
  const agent = new RawAgent(world.url, () => world.now());
  await agent.register(name, more);
  return agent;
}
async function verify(agent: RawAgent): Promise<void> {
  await world.fund(agent.wallet.address);
  await agent.buy('verify', { wallet: agent.wallet.address });
}

const joins = async (agent: RawAgent, by: RawAgent) =>
  (await agent.post('join', { headline: 'Joins', referred_by: by.museId })).body;

test('a recruit by id or code counts once, and again when it verifies', async () => {
  const recruiter = await world.raw('Recruiter');
  const { code } = (await statusOf(recruiter)) as { code: string };
  expect(`agent_${code}`).toBe(recruiter.museId);
  const byCode = await quickstart(world.url, { name: 'By code', referred_by: code });
  const byId = await registered('By id', { referred_by: recruiter.museId });
  expect(await counted(recruiter)).toEqual({ referrals: 1, recruits: { brought: 1, verified: 0 }, recruiter: false });
  await byId.post('join', { headline: 'Came by an id' });
  await byId.post('join', { headline: 'Came by an id, again' });
  await verify(byId);
  expect(await counted(recruiter)).toEqual({ referrals: 2, recruits: { brought: 2, verified: 1 }, recruiter: true });
  expect(await statusOf(recruiter)).toMatchObject({
    muse_id: recruiter.museId,
    brought: 2,
    verified: 1,
    recruiter: true,
    recruits: [{ muse_id: byId.museId, verified: true }, { muse_id: byCode.museId }],
  });
});

test('a referral at joining counts too, but not between two that refer each other', async () => {
  const recruiter = await world.raw('Recruiter at joining');
  const [first, second] = [await registered('First at joining'), await registered('Second at joining')];
  expect(await joins(first, recruiter)).not.toHaveProperty('adjusted');
  await verify(first);
  expect(await counted(recruiter)).toEqual({ referrals: 1, recruits: { brought: 1, verified: 1 }, recruiter: true });
  const third = await registered('Third at joining');
  await joins(second, third);
  expect(await joins(third, second)).toMatchObject({ adjusted: { referred_by: null } });
  expect(await counted(second)).toMatchObject({ referrals: 0 });
});

test('a ring of referrals does not count for its last member', async () => {
  const ring = await Promise.all(['one', 'two', 'three', 'four', 'five'].map(name => registered(`Of a ring, ${name}`)));
  const [first, ...others] = ring as [RawAgent, ...RawAgent[]];
  for (const [n, agent] of others.entries()) expect(await joins(agent, ring[n]!)).not.toHaveProperty('adjusted');
  expect(await joins(first, ring.at(-1)!)).toMatchObject({ adjusted: { referred_by: null } });
  expect((await send(world.url, `/api/muse/${first.museId}`)).body).toMatchObject({ muse: { referred_by: null } });
  expect(await counted(ring.at(-1)!)).toMatchObject({ referrals: 0 });
  for (const agent of ring.slice(0, -1)) expect(await counted(agent)).toMatchObject({ referrals: 1 });
});

test('a second or late referrer is omitted and reported', async () => {
  const [recruiter, other, joined] = await world.raws('Taken', 'Too late', 'Alone yet');
  const named = async (agent: RawAgent, by: string) => (await agent.post('join', { referred_by: by })).body;
  for (const by of [other.museId, joined.museId, 'agent_unknown000'])
    expect(await named(joined, by)).toMatchObject({ first: false, adjusted: { referred_by: null } });
  expect((await joined.post('join', { bio: 'Again.' })).body).not.toHaveProperty('adjusted');

  const brought = await registered('Brought', { referred_by: recruiter.museId });
  const first = await brought.post('join', { headline: 'Brought', referred_by: other.museId });
  const adjusted = { referred_by: recruiter.museId };
  expect(first.body).toMatchObject({ first: true, adjusted });
  expect(await named(brought, other.museId)).toMatchObject({ first: false, adjusted });
  const { code } = (await statusOf(recruiter)) as { code: string };
  for (const by of [recruiter.museId, code]) expect(await named(brought, by)).not.toHaveProperty('adjusted');
});

test('a muse cannot refer itself, its own referrer or an unknown muse', async () => {
  const first = await registered('First of two');
  const second = await registered('Second of two', { referred_by: first.museId });
  await second.post('join', { headline: 'Second' });
  const left = { adjusted: { referred_by: null } };
  expect((await first.post('join', { headline: 'First', referred_by: second.museId })).body).toMatchObject(left);
  expect((await send(world.url, `/api/muse/${first.museId}`)).body).toMatchObject({ muse: { referred_by: null } });
  const alone = await registered('Alone');
  expect((await alone.post('join', { headline: 'Alone', referred_by: alone.museId })).body).toMatchObject(left);
  const { body } = await send(world.url, '/api/quickstart', { body: { name: 'Nobody’s', referred_by: 'nobody' } });
  expect(body).toMatchObject(left);
  expect((await send(world.url, '/api/referral-status')).body).toMatchObject({ code: 'muse_id' });
  expect((await send(world.url, '/api/referral-status?muse_id=agent_nobody0000')).status).toBe(404);
});

test('a forgotten recruit is omitted', async () => {
  const recruiter = await world.raw('Recruiter of two');
  const [stays, goes] = [await registered('Recruit who stays'), await registered('Recruit who goes')];
  for (const agent of [stays, goes]) await joins(agent, recruiter);
  await verify(goes);
  expect(await counted(recruiter)).toEqual({ referrals: 2, recruits: { brought: 2, verified: 1 }, recruiter: true });
  await goes.ok('forget', { confirm: goes.museId });
  expect(await counted(recruiter)).toEqual({ referrals: 1, recruits: { brought: 1, verified: 0 }, recruiter: false });
  const { recruits, ...status } = (await statusOf(recruiter)) as { recruits: { muse_id: string }[] };
  expect(status).toMatchObject({ brought: 1, verified: 0, recruiter: false });
  expect(recruits.map(({ muse_id }) => muse_id)).toEqual([stays.museId]);
});

describe('the referral status of a caller', () => {
  const path = '/api/referral-status';
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

  test('follows from its bearer token alone, and no cache keeps it', async () => {
    const [one, other] = [
      await quickstart(world.url, { name: 'Asks by token' }),
      await quickstart(world.url, { name: 'Asks by another token' }),
    ];
    await quickstart(world.url, { name: 'Referred by a token', referred_by: one.museId });
    await world.settle();
    for (const [{ museId, headers }, brought] of [[one, 1] as const, [other, 0] as const, [one, 1] as const]) {
      const reply = await send(world.url, path, { headers });
      expect(reply.body).toMatchObject({ ok: true, muse_id: museId, brought });
      expect([reply.headers.get('cache-control'), reply.headers.get('etag')]).toEqual(['no-store', null]);
    }
    const named = await send(world.url, `${path}?muse_id=${other.museId}`, { headers: one.headers });
    expect(named.body).toMatchObject({ muse_id: other.museId, brought: 0 });
    expect(named.headers.get('cache-control')).toBe('no-store');
  });

  test('counts a muse_id whatever the authorization header says', async () => {
    const { museId } = await quickstart(world.url, { name: 'Named in the query' });
    await world.settle();
    for (const authorization of ['Bearer wrong', 'Bearer', 'Basic YTpi', ''])
      expect((await send(world.url, `${path}?muse_id=${museId}`, { headers: { authorization } })).body).toMatchObject({
        muse_id: museId,
      });
  });

  test('is refused with a wrong token, and without token and muse_id', async () => {
    const refusal = async (headers?: { readonly [name: string]: string }) => {
      const { status, body, headers: sent } = await send(world.url, path, headers && { headers });
      return [status, body['code'], sent.get('cache-control')];
    };
    for (const token of ['wrong', `service_tok_${'a'.repeat(43)}`, ''])
      expect(await refusal(bearer(token).headers)).toEqual([401, 'bad_token', 'no-store']);
    expect(await refusal()).toEqual([400, 'muse_id', 'no-store']);
    expect(await refusal({ authorization: 'Basic YTpi' })).toEqual([400, 'muse_id', 'no-store']);
    expect((await send(world.url, `${path}?muse_id=`)).body).toMatchObject({ code: 'muse_id' });
  });

  test('can be read with a token that may only read, until the token ends', async () => {
    const owner = await quickstart(world.url, { name: 'Has a reader' });
    const { body } = await send(world.url, '/api/token', {
      headers: owner.headers,
      body: { action: 'issue', scope: 'read' },
    });
    const reader = bearer(body['token'] as string);
    expect((await send(world.url, path, reader)).body).toMatchObject({ muse_id: owner.museId });
    await send(world.url, '/api/token', { ...reader, body: { action: 'revoke' } });
    expect(await send(world.url, path, reader)).toMatchObject({ status: 401, body: { code: 'bad_token' } });
  });
});
