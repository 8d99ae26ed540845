import { beforeAll, describe, expect, test } from '@jest/globals';
import { quickstart, type RawAgent } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { paymentHeader } from '../x402.js';

const world = useWorld();
let poster: RawAgent;
let earlier: RawAgent;
let now: RawAgent;
beforeAll(async () => void ([poster, earlier, now] = await world.raws('poster', 'earlier', 'later')));

interface Page {
  readonly people: readonly { readonly muse_id: string }[];
  readonly next: string | null;
}
interface Position {
  readonly hire: number;
  readonly earlier_id: string | null;
}
const proofOf = (by: RawAgent, caller: string, to: string) => by.proof(`service-link-v1\n${caller}\n${to}`);

/** Delivers a paid hire and an endorsement that cites it. */
async function work(worker: RawAgent, budget_usd = '2'): Promise<void> {
  await worker.ok('profile', { skills: 'french' });
  const { hire } = await poster.hire(worker, { skills: 'french', budget_usd });
  await worker.ok('deliver', { hire, url: world.page('done') });
  await poster.buy('pay', { hire });
  await poster.ok('endorse', { to: worker.museId, skill: 'french', hire });
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
    const unknown = await now.post('link', { to: 'agent_0000000000', proof });
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const { museId } = await quickstart(world.url, { name: 'Keyless' });
    expect(await now.post('link', { to: museId, proof })).toMatchObject({ status: 409, body: { code: 'no_key' } });
    const gone = await world.raw('gone');
    await gone.post('forget', { confirm: gone.museId });
    expect(await now.link(gone)).toMatchObject({ status: 409, body: { code: 'not_linkable' } });
  });

  test('counts for its successor in every read', async () => {
    await work(earlier);
    await work(now);
    await earlier.buy('verify', { wallet: earlier.wallet.address });
    expect(await now.link(earlier)).toMatchObject({ status: 200, body: { ok: true, linked_to: earlier.museId } });
    const profile = await world.read(`/api/muse/${now.museId}`);
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
    expect(await world.read(`/api/verify/${now.museId}`)).toMatchObject({ receipts: 2, endorsements: 2 });
    expect((await world.read(`/api/muse/${earlier.museId}`))['muse']).toMatchObject({
      linked_to: now.museId,
      verified: false,
      verification: null,
    });
  });

  test('an earlier identity leaves every list, where its successor counts for both', async () => {
    const between = await world.raw('between');
    await work(between, '3');
    const people = async (query: string) => {
      const { people } = (await world.read(`/api/people?${query}`)) as { people: { muse_id: string }[] };
      return people.map(({ muse_id }) => muse_id);
    };
    const [first, second] = [now.museId, between.museId];
    for (const sort of ['earned', 'endorsed'])
      for (const filter of ['', '&skill=french', '&q=french', '&skill=french&q=french']) {
        const page = await people(`sort=${sort}&limit=2${filter}`);
        expect([sort, filter, page]).toEqual([sort, filter, [first, second]]);
      }
    for (const sort of ['earned', 'endorsed']) {
      const paged: string[] = [];
      let after = '';
      do {
        const page = (await world.read(`/api/people?sort=${sort}&limit=1${after}`)) as unknown as Page;
        paged.push(...page.people.map(({ muse_id }) => muse_id));
        after = page.next === null ? '' : `&after=${page.next}`;
      } while (after !== '');
      expect(paged).toEqual(await people(`sort=${sort}`));
      expect(new Set(paged).size).toBe(paged.length);
    }
    expect(await people('')).not.toContain(earlier.museId);
    expect(await people('q=earlier')).toEqual([]);
    expect((await world.read('/api/trending'))['earners']).toEqual([
      { muse_id: first, token: 'USDC', usd: '4' },
      { muse_id: second, token: 'USDC', usd: '3' },
    ]);
  });

  test('an earlier identity has its hires cited for its successor', async () => {
    const positions = (await world.read(`/api/muse/${now.museId}`))['positions'] as unknown as Position[];
    const { hire } = positions.find(({ earlier_id }) => earlier_id === earlier.museId)!;
    const fields = { to: now.museId, skill: 'french', hire: String(hire) };
    expect(await poster.post('endorse', fields)).toMatchObject({ status: 200, body: { cited: true } });
    const stranger = await world.raw('stranger');
    expect(await stranger.post('endorse', fields)).toMatchObject({ status: 403, body: { code: 'not_a_party' } });
    expect((await world.read(`/api/muse/${now.museId}`))['muse']).toMatchObject({
      endorsements_cited: 2,
      skills_proven: [{ skill: 'french', hires: 2, cites: 2 }],
    });
  });

  test('the wallet of an earlier identity is free', async () => {
    expect(await earlier.post('whoami')).toMatchObject({ status: 200, body: { verified: false } });
    const { address: wallet } = earlier.wallet;
    const header = await paymentHeader(earlier.wallet, await now.post('verify', { wallet }), world.now());
    expect(await now.post('verify', { wallet }, header)).toMatchObject({ body: { verified: true, wallet } });
  });

  test('an earlier identity is linked once, and to one level', async () => {
    const another = await world.raw('another');
    for (const reply of [
      await now.link(earlier),
      await another.link(earlier),
      await another.link(now),
      await now.link(another),
    ])
      expect(reply).toMatchObject({ status: 409, body: { code: 'already_linked' } });
    for (const to of [another, now])
      expect(await earlier.link(to)).toMatchObject({
        status: 409,
        body: { code: 'already_linked' },
      });
  });

  test('an earlier identity may still be forgotten, and its work keeps counting', async () => {
    expect(await earlier.post('forget', { confirm: earlier.museId })).toMatchObject({ status: 200 });
    expect(await world.read(`/api/muse/${now.museId}`)).toMatchObject({
      earned: [{ token: 'USDC', count: 2, usd: '4' }],
      muses: { [earlier.museId]: { name: 'forgotten' } },
    });
    const { people } = (await world.read('/api/people?sort=earned&limit=1')) as unknown as Page;
    expect(people).toMatchObject([{ muse_id: now.museId }]);
  });
});
