import { describe, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import { useFaultyWorld } from '../faulty-rpc.js';
import { PurchaseFixture } from '../purchase-fixture.js';
import { type RawAgent, textOf } from '../raw-agent.js';
import { waitUntil } from '../wait-until.js';
import { useWorld } from '../use-world.js';

describe('a whole job', () => {
  const world = useWorld();

  const job = {
    title: 'Translate a page',
    summary: 'One page of documentation, from English to French.',
    done: 'A page in French at an address.',
  };

  test('runs from the post to the wage', async () => {
    const [poster, worker] = await world.agents('poster', 'worker');
    const { role } = await poster!.job({ ...job, budgetUsd: '10', rail: 'usdc-base' });
    await worker!.apply({ role, note: 'I am fluent.' });
    const { hire, position } = await poster!.hire({ role, to: worker!.museId });
    expect(position).toMatchObject({ role, status: 'hired', title: job.title, settlement: null, paid: false });
    const delivered = await worker!.deliver({ hire, url: world.page('bonjour') });
    expect(delivered.digest).toMatch(/^[0-9a-f]{64}$/);
    const paid = await poster!.pay({ hire });
    expect(paid.receipt.data).toMatchObject({
      amount_usd: '10',
      token: 'USDC',
      network: 'base',
      title: job.title,
      tx: paid.payment!.tx,
    });
    await world.settle();

    expect(await world.eventTypes(`hire-${hire}`)).toEqual([
      'Hired',
      'Delivered',
      'DeliveryRead',
      'WageStarted',
      'Paid',
    ]);
    const profile = await worker!.ownProfile();
    expect(profile.earned).toEqual([{ token: 'USDC', count: 1, usd: '10' }]);
    expect(profile.positions[0]).toMatchObject({ status: 'hired', settlement: 'delivered', paid: true });
    expect(profile.activity.map(({ kind }) => kind)).toEqual(['receipt', 'hired', 'applied', 'joined']);
    expect((await world.reader().role({ slug: role })).role).toMatchObject({
      status: 'closed',
      closed_reason: 'filled',
      fee_paid: true,
    });
    expect((await world.reader().feed()).items.map(({ kind }) => kind)).toEqual([
      'receipt',
      'hired',
      'applied',
      'job',
      'joined',
      'joined',
    ]);
    expect(await world.reader().stats()).toMatchObject({
      joined: 2,
      hires: 1,
      deliveries: 1,
      receipts: 1,
      paid: [{ token: 'USDC', usd: '10' }],
    });
  });

  test('runs for free when an agent with a token posts it', async () => {
    const { AgentClient } = await import('#libs/client/index.js');
    const poster = await AgentClient.quickstart(world.url, { kind: 'editor' });
    const [worker] = await world.agents('free worker');
    const { role, paid } = await poster.job(job);
    expect(paid).toBe(false);
    expect(await worker!.apply({ role, note: 'Gladly.' })).toMatchObject({ status: 'applied', edited: false });
    expect(await worker!.apply({ role, note: 'Very gladly.' })).toMatchObject({ edited: true });
    const { hire } = await poster.hire({ role, to: worker!.museId });
    expect((await poster.hire({ role, to: worker!.museId })).hire).toBe(hire);
    await worker!.deliver({ hire, url: world.page('fini') });
    await expect(poster.pay({ hire })).rejects.toMatchObject({ status: 409, code: 'no_budget' });
  });
});

describe('concurrent verifications and hires', () => {
  const TIMING = { waitMs: 400, pollMs: 10, pollMsMax: 50, watchMs: 200 };
  const RAIL = 'usdc-base';
  const { world, faultyRpc } = useFaultyWorld(TIMING);

  /** Prepares an identity and a verification with another wallet for a joined muse. */
  async function twoWallets(agent: RawAgent): Promise<[PurchaseFixture, PurchaseFixture]> {
    const other = Wallet.createRandom();
    await world.fund(other.address);
    const identity = { name: 'Two wallets', headline: 'all in one step', wallet: agent.wallet.address };
    const terms = { agent, rail: RAIL };
    return [
      new PurchaseFixture(world, { ...terms, endpoint: 'identity', wallet: agent.wallet, fields: identity }),
      new PurchaseFixture(world, { ...terms, endpoint: 'verify', wallet: other, fields: { wallet: other.address } }),
    ];
  }

  test('a pending identity keeps another verification of its muse from being charged', async () => {
    const [identity, verify] = await twoWallets(await world.raw('Two wallets'));
    const [first, second] = [await identity.sign(), await verify.sign()];
    faultyRpc.of(RAIL).set({ status: 503 }, { method: 'eth_sendRawTransaction' });
    expect(await identity.pay(first)).toMatchObject({ status: 409, body: { code: 'settlement_pending' } });
    expect(await verify.pay(second)).toMatchObject({ status: 409, body: { code: 'settlement_pending' } });
    faultyRpc.mend();
    await waitUntil(async () => (await identity.eventTypes(first)).at(-1) === 'PaymentApplied');
    const wallet = first.authorization.from;
    expect(await verify.pay(second)).toMatchObject({ status: 200, body: { wallet, paid: false } });
    expect([await identity.transfers(first), await verify.transfers(second)]).toMatchObject([
      { length: 1 },
      { length: 0 },
    ]);
  });

  test('a hire that is retried after its end returns its first response', async () => {
    const [poster, worker] = [await world.raw('Poster'), await world.raw('Worker')];
    const job = { title: 'A job', summary: 'Twenty characters at least.', done: 'a thing is done' };
    const role = textOf(await poster.post('job', job), 'role');
    await worker.post('apply', { role, note: 'Me.' });
    const body = poster.signed('hire', { role, to: worker.museId });
    const first = await poster.resend('hire', body);
    const end = { hire: textOf(first, 'hire'), reason: 'no longer wanted' };
    expect(await worker.post('end_hire', end)).toMatchObject({ status: 200 });
    await forgetNonce(poster, body['nonce']!);
    expect(await poster.resend('hire', body)).toMatchObject({ status: 200, body: { hire: first.body['hire'] } });
  });

  /** Simulates a process that died before it recorded the nonce. */
  async function forgetNonce({ museId }: RawAgent, nonce: string): Promise<void> {
    const { coordination } = world.service.stores;
    const [key, now] = [`nonce/${museId}/${nonce}`, world.now()];
    expect(await coordination.compareAndSet(key, (await coordination.get(key, now))!, null, now, now)).toBe(true);
  }
});
