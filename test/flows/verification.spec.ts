import { expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { AgentClient } from '#libs/client/index.js';
import { verifyNoble } from '#libs/platform/signing/noble-ed25519.js';
import { RawAgent, send } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();

test.each(['usdc-base', 'usdg-robinhood'])(
  'a muse binds the wallet that pays on %s and repeats that for free',
  async rail => {
    const wallet = Wallet.createRandom();
    await world.fund(wallet.address);
    const muse = await world.agent(`verified on ${rail}`, { wallet: wallet.privateKey, rails: [rail] });
    const answer = await muse.verify({ wallet: wallet.address });
    const network = rail === 'usdc-base' ? 'base' : 'robinhood';
    expect(answer).toMatchObject({
      verified: true,
      wallet: wallet.address,
      network,
      paid: true,
      payment: { network, payer: wallet.address, amount: '1000000' },
    });
    expect(await muse.verify({ wallet: wallet.address })).toMatchObject({
      verified: true,
      tx: answer.tx,
      paid: false,
      payment: null,
    });
    expect((await muse.ownProfile()).muse).toMatchObject({
      verified: true,
      verification: { wallet: wallet.address, network, tx: answer.tx },
    });

    const credential = await world.reader().credential({ muse: muse.museId });
    const { payload, signature, kid } = credential.credential!;
    const issuer = await world.reader().issuer();
    expect(issuer.keys.map(key => key.kid)).toContain(kid);
    expect(verifyNoble(issuer.public_key, Buffer.from(payload), signature)).toBe(true);
    expect(JSON.parse(payload)).toMatchObject({
      muse_id: muse.museId,
      verified: true,
      wallet: wallet.address,
      issuer: world.url,
    });
  },
);

test('a new key becomes a verified agent in one paid request', async () => {
  const wallet = Wallet.createRandom();
  await world.fund(wallet.address);
  const agent = AgentClient.withKey(world.url, 'new', { wallet: wallet.privateKey });
  const fields = { name: 'All at once', headline: 'in one step', wallet: wallet.address };
  expect(await agent.identity(fields)).toMatchObject({
    created: true,
    verified: true,
    wallet: wallet.address,
    paid: true,
  });
  expect(await agent.identity(fields)).toMatchObject({ created: false, verified: true, paid: false });
  expect(await agent.whoami()).toMatchObject({ joined: true, verified: true, name: 'All at once' });
  expect(await world.eventTypes(`muse-${agent.museId}`)).toEqual(['Registered', 'Joined', 'Verified']);
});

test('a forgotten muse is no longer verified in counters, lists and referrals', async () => {
  const read = async (path: string) => (await send(world.url, `/api/${path}`)).body;
  const recruiter = await world.raw('Recruits');
  const agent = new RawAgent(world.url, () => world.now());
  await agent.register('Verified for a day', { referred_by: recruiter.museId });
  await agent.post('join', { headline: 'Verified for a day' });
  await world.fund(agent.wallet.address);
  const before = (await read('stats'))['verified'];
  await agent.buy('verify', { wallet: agent.wallet.address });
  const readProfiles = async () => {
    await world.settle();
    const listed = (await read('people?verified=1'))['people'] as { muse_id: string }[];
    const { verified, recruiter: recruits } = await read(`referral-status?muse_id=${recruiter.museId}`);
    return [(await read('stats'))['verified'], listed.some(one => one.muse_id === agent.museId), verified, recruits];
  };
  expect(await readProfiles()).toEqual([Number(before) + 1, true, 1, true]);
  expect(await agent.post('forget', { confirm: agent.museId })).toMatchObject({ body: { forgotten: true } });
  expect(await readProfiles()).toEqual([before, false, 0, false]);
  expect((await world.eventTypes(`muse-${agent.museId}`)).slice(-2)).toEqual(['VerificationEnded', 'Forgotten']);
});
