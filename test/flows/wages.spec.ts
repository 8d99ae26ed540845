import { beforeAll, describe, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import type { JsonObject } from '#libs/kernel/json.js';
import { RawAgent, send } from '../raw-agent.js';
import { readOffer, paymentHeader } from '../x402.js';
import { useWorld } from '../use-world.js';

describe('wages', () => {
  /** Wages go directly from the poster's wallet to the worker's. */
  const world = useWorld();
  let poster: RawAgent;
  let worker: RawAgent;
  beforeAll(async () => {
    [poster, worker] = await world.raws('poster', 'worker');
  });

  let titles = 0;
  const summary = 'Twenty characters at least.';

  /** Creates a hire for a job with a budget. */
  async function hired(rail = 'usdc-base', by = worker): Promise<string> {
    const job = { title: `Job ${(titles += 1)}`, summary, done: 'a thing is done', budget_usd: '10', rail };
    return (await poster.hire(by, job)).hire;
  }

  const deliver = (hire: string, by = worker) => by.post('deliver', { hire, url: world.page(`done ${hire}`) });

  describe('a wage', () => {
    test.each(['usdc-base', 'usdg-robinhood'])('on %s goes to the payout address once', async rail => {
      const hire = await hired(rail);
      await deliver(hire);
      const offer = await poster.post('pay', { hire });
      expect(readOffer(offer).accepts).toMatchObject([{ amount: '10000000', payTo: worker.wallet.address }]);
      const description = expect.stringContaining(`The wage for “Job ${titles}”: 10 USD`) as unknown;
      expect(offer.body).toMatchObject({ accepts: [{ description }] });
      const token = world.token(rail);
      const before = await token.balanceOf(worker.wallet.address);
      const { body: answer } = await poster.buy('pay', { hire });
      expect(answer).toMatchObject({ ok: true, paid: true });
      expect(await token.balanceOf(worker.wallet.address)).toBe(before + 10_000_000n);
      const { tx } = answer['payment'] as { tx: string };
      const { blockNumber } = await token.call<{ blockNumber: string }>('eth_getTransactionReceipt', tx);
      const shown = {
        tx,
        block: Number(blockNumber),
        amount_usd: '10',
        poster: poster.museId,
        task_id: Number(hire),
        source: expect.any(String),
      };
      expect(answer['receipt']).toMatchObject({ kind: 'receipt', muse_id: worker.museId, data: shown });
      const { id } = answer['receipt'] as { id: number };
      expect(await world.read(`/api/post/${id}`)).toMatchObject({ post: { id, data: { tx, block: shown.block } } });
      const { receipts } = (await world.read(`/api/muse/${worker.museId}`)) as { receipts: JsonObject[] };
      expect(receipts.find(receipt => receipt['id'] === id)).toMatchObject({ data: { tx, block: shown.block } });
      const again = await poster.post('pay', { hire });
      expect(again).toMatchObject({ status: 200, body: { paid: true, payment: null, receipt: answer['receipt'] } });
      expect(await token.transfers(poster.wallet.address, worker.wallet.address)).toHaveLength(1);
      expect((await world.eventTypes(`hire-${hire}`)).filter(type => type === 'Paid')).toHaveLength(1);
    });

    test('has a public price only when the wallet of the worker is verified', async () => {
      const verified = await world.raw('verified worker');
      const hire = await hired('usdc-base', verified);
      await deliver(hire, verified);
      const unsigned = (fields: object) => send(world.url, '/api/pay', { body: fields });
      expect(await unsigned({ hire })).toMatchObject({ status: 401, body: { code: 'unsigned' } });
      expect(await unsigned({})).toMatchObject({ status: 400, body: { code: 'hire' } });
      expect(await unsigned({ hire: '1' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
      const wallet = verified.wallet.address;
      const headers = await paymentHeader(verified.wallet, await verified.post('verify', { wallet }), world.now());
      expect(await verified.post('verify', { wallet }, headers)).toMatchObject({ status: 200 });
      const offered = await unsigned({ hire });
      expect(offered).toMatchObject({ status: 402, body: { unsigned: expect.any(String) } });
      expect(readOffer(offered).accepts).toMatchObject([{ payTo: wallet, amount: '10000000' }]);
    });
  });
});

describe('the wallet of a wage', () => {
  const world = useWorld();

  const answered = async (agent: RawAgent, endpoint: string, fields = {}) => (await agent.post(endpoint, fields)).body;

  test('is shown with a hint at an unused payout address', async () => {
    const agent = await world.raw('Worker');
    const payout_address = Wallet.createRandom().address;
    expect(await answered(agent, 'profile', { payout_address: '' })).toMatchObject({ wage_wallet: null });
    expect(await answered(agent, 'whoami')).toMatchObject({ wage_wallet: null });
    expect(await answered(agent, 'join', { skills: 'french' })).toMatchObject({
      wage_wallet: null,
      payout_address: null,
    });
    const named = await answered(agent, 'profile', { payout_address });
    expect(named).toMatchObject({ wage_wallet: payout_address, changed: ['payout_address'] });
    const joined = await answered(agent, 'join', { skills: 'french' });
    expect(joined).toMatchObject({ wage_wallet: payout_address, payout_address });
    for (const answer of [named, joined]) expect(answer).not.toHaveProperty('hint');

    await world.fund(agent.wallet.address);
    await agent.buy('verify', { wallet: agent.wallet.address });
    const { wallet } = (await answered(agent, 'whoami')) as { wallet: string };
    expect(await answered(agent, 'whoami')).toMatchObject({ wallet, wage_wallet: wallet });
    for (const endpoint of ['join', 'profile'])
      expect(await answered(agent, endpoint, { payout_address })).toMatchObject({
        wage_wallet: wallet,
        hint: expect.stringContaining('verified wallet'),
      });
    expect(await answered(agent, 'join', { payout_address: '' })).not.toHaveProperty('hint');
  });

  test('is the wallet of the later identity for an earlier identity', async () => {
    const [earlier, later] = await world.raws('Earlier', 'Later');
    const [before, now] = [Wallet.createRandom().address, Wallet.createRandom().address];
    await earlier.post('profile', { payout_address: before });
    await later.post('profile', { payout_address: '' });
    const proof = earlier.proof(`service-link-v1\n${later.museId}\n${earlier.museId}`);
    expect(await later.post('link', { to: earlier.museId, proof })).toMatchObject({ status: 200 });
    expect(await answered(earlier, 'whoami')).toMatchObject({ wage_wallet: before });
    await later.post('profile', { payout_address: now });
    expect(await answered(earlier, 'whoami')).toMatchObject({ wage_wallet: now });
  });
});

describe('proven skills', () => {
  const world = useWorld();
  let poster: RawAgent;
  let worker: RawAgent;
  let checkers: RawAgent[];
  beforeAll(async () => {
    [poster, worker, ...checkers] = await world.raws('Poster', 'Worker', 'First', 'Second');
  });

  /** Returns the skills on the profile and the reasons of `delegate` to offer the worker a job. */
  async function proven() {
    await world.settle();
    const { muse } = (await send(world.url, `/api/muse/${worker.museId}`)).body as {
      readonly muse: { readonly proven: unknown; readonly skills_proven: unknown };
    };
    const { body } = await poster.ok('delegate', { task: 'Translate the manual into French', skills: 'french' });
    const candidates = body['candidates'] as readonly { readonly muse_id: string; readonly reasons: string[] }[];
    const reasons = candidates.find(({ muse_id }) => muse_id === worker.museId)?.reasons ?? [];
    expect(reasons.includes('has proven french')).toBe((muse.proven as string[]).includes('french'));
    return { proven: muse.proven, skills_proven: muse.skills_proven };
  }

  const PROVEN = { proven: ['french'], skills_proven: [{ skill: 'french', hires: 1, cites: 0 }] };
  const NOT_PROVEN = { proven: [], skills_proven: [] };

  test('count a delivered hire unless it is disputed or its newest recheck broke', async () => {
    const { hire } = await poster.hire(worker, { skills: 'french' });
    const recheck = (checker: RawAgent | undefined, result: string) =>
      checker!.ok('recheck', { hire, result, scope: 'Looked at all of it.' });
    const dispute = (agent: RawAgent, fields: { [name: string]: string }) => agent.ok('dispute', { hire, ...fields });
    const reason = 'It is not what was asked for.';
    expect(await proven()).toEqual(NOT_PROVEN);
    await worker.ok('deliver', { hire, url: world.page('one') });
    expect(await proven()).toEqual(PROVEN);

    await dispute(worker, { reason });
    expect(await proven()).toEqual(PROVEN);
    await dispute(worker, { withdraw: 'true' });
    await dispute(poster, { reason });
    expect(await proven()).toEqual(NOT_PROVEN);
    await dispute(poster, { withdraw: 'true' });
    expect(await proven()).toEqual(PROVEN);

    await recheck(checkers[0], 'broke');
    expect(await proven()).toEqual(NOT_PROVEN);
    await recheck(checkers[1], 'held');
    expect(await proven()).toEqual(PROVEN);
    await recheck(checkers[0], 'broke');
    expect(await proven()).toEqual(NOT_PROVEN);
    await worker.ok('deliver', { hire, url: world.page('two') });
    expect(await proven()).toEqual(PROVEN);

    await recheck(checkers[0], 'broke');
    await poster.ok('accept', { hire, positive: 'false' });
    expect(await proven()).toEqual(NOT_PROVEN);
    await poster.ok('accept', { hire, positive: 'true' });
    expect(await proven()).toEqual(PROVEN);
    await dispute(poster, { reason });
    expect(await proven()).toEqual(NOT_PROVEN);
  });
});
