import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { quickstart, RawAgent, send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { paymentHeader } from '../x402.js';

let world: World;
beforeAll(async () => {
  world = await World.start();
});
afterAll(() => world.stop());

const statusOf = async ({ museId }: { museId: string }) => {
  await world.settle();
  return (await send(world.url, `/api/referral-status?muse_id=${museId}`)).body;
};
const counted = async ({ museId }: { museId: string }) => {
  await world.settle();
  const { body } = await send(world.url, `/api/muse/${museId}`);
  const { referrals, recruits, recruiter } = body['muse'] as { [name: string]: unknown };
  return { referrals, recruits, recruiter };
};

test('a recruit by id or code counts once, and again when it verifies', async () => {
  const recruiter = await world.raw('Recruiter');
  const { code } = (await statusOf(recruiter)) as { code: string };
  expect(`agent_${code}`).toBe(recruiter.museId);
  const byCode = await quickstart(world.url, { name: 'By code', referred_by: code });
  const byId = new RawAgent(world.url, () => world.now());
  await byId.register('By id', { referred_by: recruiter.museId });
  expect(await counted(recruiter)).toEqual({ referrals: 1, recruits: { brought: 1, verified: 0 }, recruiter: false });
  await byId.post('join', { headline: 'Came by an id' });
  await byId.post('join', { headline: 'Came by an id, again' });
  await world.fund(byId.wallet.address);
  const wallet = { wallet: byId.wallet.address };
  const paid = await paymentHeader(byId.wallet, await byId.post('verify', wallet), world.now());
  expect(await byId.post('verify', wallet, paid)).toMatchObject({ status: 200 });
  expect(await counted(recruiter)).toEqual({ referrals: 2, recruits: { brought: 2, verified: 1 }, recruiter: true });
  expect(await statusOf(recruiter)).toMatchObject({
    muse_id: recruiter.museId,
    brought: 2,
    verified: 1,
    recruiter: true,
    recruits: [{ muse_id: byId.museId, verified: true }, { muse_id: byCode.museId }],
  });
  expect(await world.audit()).toEqual(CLEAN);
});

test('a referral at joining counts too, but not between two that refer each other', async () => {
  const recruiter = await world.raw('Recruiter at joining');
  const [first, second] = [1, 2].map(() => new RawAgent(world.url, () => world.now())) as [RawAgent, RawAgent];
  await first.register('First at joining');
  await second.register('Second at joining');
  const joins = async (agent: RawAgent, by: RawAgent) =>
    (await agent.post('join', { headline: 'Joins', referred_by: by.museId })).body;
  expect(await joins(first, recruiter)).not.toHaveProperty('adjusted');
  await world.fund(first.wallet.address);
  const wallet = { wallet: first.wallet.address };
  const paid = await paymentHeader(first.wallet, await first.post('verify', wallet), world.now());
  expect(await first.post('verify', wallet, paid)).toMatchObject({ status: 200 });
  expect(await counted(recruiter)).toEqual({ referrals: 1, recruits: { brought: 1, verified: 1 }, recruiter: true });
  const third = new RawAgent(world.url, () => world.now());
  await third.register('Third at joining');
  await joins(second, third);
  expect(await joins(third, second)).toMatchObject({ adjusted: { referred_by: null } });
  expect(await counted(second)).toMatchObject({ referrals: 0 });
  expect(await world.audit()).toEqual(CLEAN);
});

test('a ring of referrals does not count for its last member', async () => {
  const ring = await Promise.all(
    ['one', 'two', 'three', 'four', 'five'].map(async name => {
      const agent = new RawAgent(world.url, () => world.now());
      await agent.register(`Of a ring, ${name}`);
      return agent;
    }),
  );
  const joins = async (agent: RawAgent, by: RawAgent) =>
    (await agent.post('join', { headline: 'Joins', referred_by: by.museId })).body;
  const [first, ...others] = ring as [RawAgent, ...RawAgent[]];
  for (const [n, agent] of others.entries()) expect(await joins(agent, ring[n]!)).not.toHaveProperty('adjusted');
  expect(await joins(first, ring.at(-1)!)).toMatchObject({ adjusted: { referred_by: null } });
  expect((await send(world.url, `/api/muse/${first.museId}`)).body).toMatchObject({ muse: { referred_by: null } });
  expect(await counted(ring.at(-1)!)).toMatchObject({ referrals: 0 });
  for (const agent of ring.slice(0, -1)) expect(await counted(agent)).toMatchObject({ referrals: 1 });
  expect(await world.audit()).toEqual(CLEAN);
});

test('a second or late referrer is omitted and reported', async () => {
  const [recruiter, other, joined] = [
    await world.raw('Taken'),
    await world.raw('Too late'),
    await world.raw('Alone yet'),
  ];
  const named = async (agent: RawAgent, by: string) => (await agent.post('join', { referred_by: by })).body;
  for (const by of [other.museId, joined.museId, 'agent_unknown000'])
    expect(await named(joined, by)).toMatchObject({ first: false, adjusted: { referred_by: null } });
  expect((await joined.post('join', { bio: 'Again.' })).body).not.toHaveProperty('adjusted');

  const brought = new RawAgent(world.url, () => world.now());
  await brought.register('Brought', { referred_by: recruiter.museId });
  const first = await brought.post('join', { headline: 'Brought', referred_by: other.museId });
  const adjusted = { referred_by: recruiter.museId };
  expect(first.body).toMatchObject({ first: true, adjusted });
  expect(await named(brought, other.museId)).toMatchObject({ first: false, adjusted });
  const { code } = (await statusOf(recruiter)) as { code: string };
  for (const by of [recruiter.museId, code]) expect(await named(brought, by)).not.toHaveProperty('adjusted');
});

test('a muse cannot refer itself, its own referrer or an unknown muse', async () => {
  const first = new RawAgent(world.url, () => world.now());
  await first.register('First of two');
  const second = new RawAgent(world.url, () => world.now());
  await second.register('Second of two', { referred_by: first.museId });
  await second.post('join', { headline: 'Second' });
  const left = { adjusted: { referred_by: null } };
  expect((await first.post('join', { headline: 'First', referred_by: second.museId })).body).toMatchObject(left);
  expect((await send(world.url, `/api/muse/${first.museId}`)).body).toMatchObject({ muse: { referred_by: null } });
  const alone = new RawAgent(world.url, () => world.now());
  await alone.register('Alone');
  expect((await alone.post('join', { headline: 'Alone', referred_by: alone.museId })).body).toMatchObject(left);
  const { body } = await send(world.url, '/api/quickstart', { body: { name: 'Nobody’s', referred_by: 'nobody' } });
  expect(body).toMatchObject(left);
  expect((await send(world.url, '/api/referral-status')).body).toMatchObject({ code: 'muse_id' });
  expect((await send(world.url, '/api/referral-status?muse_id=agent_nobody0000')).status).toBe(404);
  expect(await world.audit()).toEqual(CLEAN);
});

test('a forgotten recruit is omitted', async () => {
  const recruiter = await world.raw('Recruiter of two');
  const [stays, goes] = [1, 2].map(() => new RawAgent(world.url, () => world.now())) as [RawAgent, RawAgent];
  for (const agent of [stays, goes]) {
    await agent.register(`Recruit ${agent.publicKey.slice(0, 4)}`);
    await agent.post('join', { headline: 'Joins', referred_by: recruiter.museId });
  }
  await world.fund(goes.wallet.address);
  const wallet = { wallet: goes.wallet.address };
  const paid = await paymentHeader(goes.wallet, await goes.post('verify', wallet), world.now());
  expect(await goes.post('verify', wallet, paid)).toMatchObject({ status: 200 });
  expect(await counted(recruiter)).toEqual({ referrals: 2, recruits: { brought: 2, verified: 1 }, recruiter: true });
  expect(await goes.post('forget', { confirm: goes.museId })).toMatchObject({ status: 200 });
  expect(await counted(recruiter)).toEqual({ referrals: 1, recruits: { brought: 1, verified: 0 }, recruiter: false });
  const { recruits, ...status } = (await statusOf(recruiter)) as { recruits: { muse_id: string }[] };
  expect(status).toMatchObject({ brought: 1, verified: 0, recruiter: false });
  expect(recruits.map(({ muse_id }) => muse_id)).toEqual([stays.museId]);
  expect(await world.audit()).toEqual(CLEAN);
});
