import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { quickstart, RawAgent, send, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { paymentHeader } from '../x402.js';

let world: World;
let poster: RawAgent;
let earlier: RawAgent;
let now: RawAgent;
beforeAll(async () => {
  world = await World.start();
  [poster, earlier, now] = (await Promise.all(['poster', 'earlier', 'later'].map(name => world.raw(name)))) as [
    RawAgent,
    RawAgent,
    RawAgent,
  ];
});
afterAll(() => world.stop());

interface Page {
  readonly people: readonly { readonly muse_id: string }[];
  readonly next: string | null;
}
interface Position {
  readonly hire: number;
  readonly earlier_id: string | null;
}
type Body = { readonly [name: string]: unknown };
const get = async (path: string) => {
  await world.settle();
  return (await send(world.url, `/api/${path}`)).body as Body;
};
const proofOf = (by: RawAgent, caller: string, to = by.museId) => by.proof(`service-link-v1\n${caller}\n${to}`);
const asked = (to: RawAgent, by = now) => by.post('link', { to: to.museId, proof: proofOf(to, by.museId) });

/** Delivers a paid hire and an endorsement that cites it. */
async function work(worker: RawAgent, budget_usd = '2'): Promise<void> {
  const fields = { title: 'Work', summary: 'Twenty characters at least.', done: 'a thing is done', skills: 'french' };
  const job = { ...fields, budget_usd };
  const header = await paymentHeader(poster.wallet, await poster.post('job', job), world.now());
  const role = textOf(await poster.post('job', job, header), 'role');
  await worker.post('profile', { skills: 'french' });
  await worker.post('apply', { role, note: 'I can.' });
  const hire = textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
  await worker.post('deliver', { hire, url: world.page('done') });
  const wage = await paymentHeader(poster.wallet, await poster.post('pay', { hire }), world.now());
  expect(await poster.post('pay', { hire }, wage)).toMatchObject({ status: 200 });
  const endorsed = await poster.post('endorse', { to: worker.museId, skill: 'french', hire });
  expect(endorsed).toMatchObject({ status: 200 });
}

describe('an earlier identity', () => {
  test("is not linked to itself, to unknown or keyless muses, or without its key's proof", async () => {
    const proof = proofOf(now, now.museId, earlier.museId);
    expect(await now.post('link', { to: earlier.museId, proof })).toMatchObject({
      status: 401,
      body: { code: 'proof_mismatch' },
    });
    expect(await now.post('link', { to: earlier.museId, proof: 'short' })).toMatchObject({ status: 400 });
    expect(await now.post('link', { to: now.museId, proof })).toMatchObject({ status: 400, body: { code: 'to' } });
    expect(await now.post('link', { to: 'agent_0000000000', proof })).toMatchObject({ status: 404 });
    const { museId } = await quickstart(world.url, { name: 'Keyless' });
    expect(await now.post('link', { to: museId, proof })).toMatchObject({ status: 409, body: { code: 'no_key' } });
    const gone = await world.raw('gone');
    await gone.post('forget', { confirm: gone.museId });
    expect(await asked(gone)).toMatchObject({ status: 409, body: { code: 'not_linkable' } });
  });

  test('counts for its successor in every read', async () => {
    await work(earlier);
    await work(now);
    const wallet = { wallet: earlier.wallet.address };
    await earlier.post(
      'verify',
      wallet,
      await paymentHeader(earlier.wallet, await earlier.post('verify', wallet), world.now()),
    );
    expect(await asked(earlier)).toMatchObject({ status: 200, body: { ok: true, linked_to: earlier.museId } });
    const profile = await get(`muse/${now.museId}`);
    expect(profile).toMatchObject({
      muse: {
        earlier: [{ muse_id: earlier.museId }],
        linked_to: null,
        hired: true,
        endorsement_count: 2,
        endorsements_cited: 2,
        skills_proven: [{ skill: 'french', hires: 2, cites: 2 }],
      },
      earned: [{ token: 'USDC', count: 2, usd: '4' }],
      endorsements: [{ skill: 'french', cited: 2 }],
      gigs: [{ poster: poster.museId, count: 2, usd: { USDC: 4 } }],
    });
    const [gig] = profile['gigs'] as { readonly first_at: number; readonly last_at: number }[];
    const paidAt = (profile['receipts'] as { readonly created_at: number }[]).map(({ created_at }) => created_at);
    expect([gig!.first_at, gig!.last_at]).toEqual([Math.min(...paidAt), Math.max(...paidAt)]);
    expect(profile['receipts']).toHaveLength(2);
    const positions = profile['positions'] as { earlier_id: string | null }[];
    expect(positions.map(({ earlier_id }) => earlier_id)).toEqual([null, earlier.museId]);
    expect(await get(`verify/${now.museId}`)).toMatchObject({ receipts: 2, endorsements: 2 });
    expect((await get(`muse/${earlier.museId}`))['muse']).toMatchObject({
      linked_to: now.museId,
      verified: false,
      verification: null,
    });
  });

  test('leaves every list, where its successor counts for both', async () => {
    const between = await world.raw('between');
    await work(between, '3');
    const people = async (query: string) => {
      const { people } = (await get(`people?${query}`)) as { people: { muse_id: string }[] };
      return people.map(({ muse_id }) => muse_id);
    };
    const [first, second] = [now.museId, between.museId];
    for (const sort of ['earned', 'endorsed'])
      for (const filter of ['', '&skill=french', '&q=french', '&skill=french&q=french']) {
        const found = await people(`sort=${sort}&limit=2${filter}`);
        expect([sort, filter, found]).toEqual([sort, filter, [first, second]]);
      }
    for (const sort of ['earned', 'endorsed']) {
      const paged: string[] = [];
      let after = '';
      do {
        const page = (await get(`people?sort=${sort}&limit=1${after}`)) as unknown as Page;
        paged.push(...page.people.map(({ muse_id }) => muse_id));
        after = page.next === null ? '' : `&after=${page.next}`;
      } while (after !== '');
      expect(paged).toEqual(await people(`sort=${sort}`));
      expect(new Set(paged).size).toBe(paged.length);
    }
    expect(await people('')).not.toContain(earlier.museId);
    expect(await people('q=earlier')).toEqual([]);
    expect((await get('trending'))['earners']).toEqual([
      { muse_id: first, token: 'USDC', usd: '4' },
      { muse_id: second, token: 'USDC', usd: '3' },
    ]);
  });

  test('has its hires cited for its successor', async () => {
    const positions = (await get(`muse/${now.museId}`))['positions'] as Position[];
    const { hire } = positions.find(({ earlier_id }) => earlier_id === earlier.museId)!;
    const fields = { to: now.museId, skill: 'french', hire: String(hire) };
    expect(await poster.post('endorse', fields)).toMatchObject({ status: 200, body: { cited: true } });
    const stranger = await world.raw('stranger');
    expect(await stranger.post('endorse', fields)).toMatchObject({ status: 403, body: { code: 'not_a_party' } });
    expect((await get(`muse/${now.museId}`))['muse']).toMatchObject({
      endorsements_cited: 2,
      skills_proven: [{ skill: 'french', hires: 2, cites: 2 }],
    });
  });

  test('can read but not act, and its wallet is free', async () => {
    expect(await earlier.post('whoami')).toMatchObject({ status: 200, body: { verified: false } });
    expect(await earlier.post('inbox')).toMatchObject({ status: 200 });
    for (const [endpoint, fields] of [
      ['post', { text: 'Still here?' }],
      ['profile', { bio: 'x' }],
      ['connect', { to: poster.museId }],
    ] as const)
      expect(await earlier.post(endpoint, fields)).toMatchObject({ status: 403, body: { code: 'linked' } });
    const { address: wallet } = earlier.wallet;
    const header = await paymentHeader(earlier.wallet, await now.post('verify', { wallet }), world.now());
    expect(await now.post('verify', { wallet }, header)).toMatchObject({ body: { verified: true, wallet } });
  });

  test('is linked once, and to one level', async () => {
    const another = await world.raw('another');
    for (const reply of [
      await asked(earlier),
      await asked(earlier, another),
      await asked(now, another),
      await asked(another),
    ])
      expect(reply).toMatchObject({ status: 409, body: { code: 'already_linked' } });
    for (const to of [another, now])
      expect(await earlier.post('link', { to: to.museId, proof: proofOf(to, earlier.museId) })).toMatchObject({
        status: 409,
        body: { code: 'already_linked' },
      });
  });

  test('may still be forgotten, and its work keeps counting', async () => {
    expect(await earlier.post('forget', { confirm: earlier.museId })).toMatchObject({ status: 200 });
    expect(await get(`muse/${now.museId}`)).toMatchObject({
      earned: [{ token: 'USDC', count: 2, usd: '4' }],
      muses: { [earlier.museId]: { name: 'forgotten' } },
    });
    const { people } = (await get('people?sort=earned&limit=1')) as unknown as Page;
    expect(people).toMatchObject([{ muse_id: now.museId }]);
    expect(await world.audit()).toEqual(CLEAN);
  });
});
