import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newIdempotencyKey, RawAgent, type Reply, textOf } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { paymentHeader, decodeBase64Json } from '../x402.js';

describe('payments at the same time', () => {
  let world: World;
  /** Runs just before a payment claims its target. */
  let beforeClaim: () => Promise<unknown> = () => Promise.resolve();
  beforeAll(async () => {
    const beforeStep = async (step: { readonly do: string }) => void (step.do === 'claim' && (await beforeClaim()));
    world = await World.start({ settings: { RATE_LIMITS: 'dev' }, overrides: { payments: { beforeStep } } });
  });
  afterAll(() => world.stop());

  const JOB = { title: 'A page', summary: 'Twenty characters at least.', done: 'It is there.', budget_usd: '10' };

  async function paidFor(agent: RawAgent, endpoint: string, fields: { [name: string]: string }): Promise<Reply> {
    const asked = await agent.post(endpoint, fields);
    return agent.post(endpoint, fields, await paymentHeader(agent.wallet, asked, world.now()));
  }

  test('a wage for a replaced delivery is refused without a charge, however often', async () => {
    const [poster, worker] = [await world.raw('Pia'), await world.raw('Wim')];
    const role = textOf(await paidFor(poster, 'job', JOB), 'role');
    await worker.post('apply', { role, note: 'I can.' });
    await worker.post('profile', { payout_address: worker.wallet.address });
    const hire = textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
    await worker.post('deliver', { hire, url: world.page('first') });
    const before = (await world.token('usdc-base').transfers(poster.wallet.address)).length;
    for (let turn = 0; turn < 11; turn += 1) {
      beforeClaim = () => worker.post('deliver', { hire, url: world.page(`version ${turn}`) });
      expect(await paidFor(poster, 'pay', { hire })).toMatchObject({ status: 409, body: { code: 'delivery_changed' } });
    }
    expect(await world.token('usdc-base').transfers(poster.wallet.address)).toHaveLength(before);
    beforeClaim = () => Promise.resolve();
    expect(await paidFor(poster, 'pay', { hire })).toMatchObject({ status: 200, body: { paid: true } });
    expect(await world.audit()).toEqual(CLEAN);
  });
});

describe('a payment that is repeated', () => {
  let world: World;
  let poster: RawAgent;
  /** Runs just before a payment claims its target. */
  let beforeClaim: () => unknown = () => undefined;
  beforeAll(async () => {
    const beforeStep = (step: { readonly do: string }) => Promise.resolve(void (step.do === 'claim' && beforeClaim()));
    world = await World.start({ overrides: { payments: { beforeStep } } });
    poster = await world.raw('payer');
  });
  afterAll(() => world.stop());

  let titles = 0;
  const summary = 'Twenty characters at least.';
  const job = () => ({ title: `Job ${(titles += 1)}`, summary, done: 'a thing is done', budget_usd: '10' });
  const fees = () => world.token('usdc-base').transfers(poster.wallet.address);
  const counts = () => world.counts('PaymentAccepted', 'PaymentApplied', 'JobPosted');

  describe('a paid request', () => {
    async function pays(): Promise<{
      fields: ReturnType<typeof job>;
      body: object;
      headers: { [name: string]: string };
    }> {
      const fields = job();
      const body = poster.signed('job', fields);
      return {
        fields,
        body,
        headers: await paymentHeader(poster.wallet, await poster.resend('job', body), world.now()),
      };
    }
    const same = (replies: readonly Reply[]) =>
      new Set(replies.map(({ status, body }) => JSON.stringify([status, body])));

    test('gets its response again, with or without its payment, and no second effect', async () => {
      const { fields, body, headers } = await pays();
      const [accepted, applied, posted] = await counts();
      const before = (await fees()).length;
      const replies = [
        await poster.resend('job', body, headers),
        await poster.resend('job', body, headers),
        await poster.resend('job', body),
        await poster.post('job', fields, headers),
        await poster.post('job', fields, { ...headers, 'idempotency-key': newIdempotencyKey() }),
      ];
      expect(replies[0]!.status).toBe(200);
      expect(same(replies).size).toBe(1);
      for (const { headers } of replies)
        expect(decodeBase64Json(headers.get('payment-response'))).toMatchObject({ success: true });
      const other = {
        'payment-signature': (await paymentHeader(poster.wallet, await poster.post('job', fields), world.now()))[
          'payment-signature'
        ]!,
      };
      expect(same([replies[0]!, await poster.resend('job', body, other)]).size).toBe(1);
      expect(await counts()).toEqual([accepted! + 1, applied! + 1, posted! + 1]);
      expect(await fees()).toHaveLength(before + 1);
    });

    test('sent thirty times in parallel is paid once and gets equal responses', async () => {
      const { body, headers } = await pays();
      const [accepted, applied, posted] = await counts();
      const before = (await fees()).length;
      const until200 = async (): Promise<Reply> => {
        for (;;) {
          const reply = await poster.resend('job', body, headers);
          if (reply.body['code'] !== 'in_progress') return reply;
          await new Promise(resolve => setTimeout(resolve, 100));
        }
      };
      const replies = await Promise.all(Array.from({ length: 30 }, until200));
      expect(replies[0]!.status).toBe(200);
      expect(same(replies).size).toBe(1);
      expect(await fees()).toHaveLength(before + 1);
      expect(await counts()).toEqual([accepted! + 1, applied! + 1, posted! + 1]);
    });

    test('signed thirty times in parallel with the same payment is paid once', async () => {
      const { fields, headers } = await pays();
      const before = (await fees()).length;
      const replies = await Promise.all(Array.from({ length: 30 }, () => poster.post('job', fields, headers)));
      expect(replies[0]!.status).toBe(200);
      expect(same(replies).size).toBe(1);
      expect(await fees()).toHaveLength(before + 1);
    });

    test('that lost its response gets it on a retry', async () => {
      const { body, headers } = await pays();
      const before = (await fees()).length;
      const aborting = new AbortController();
      beforeClaim = () => aborting.abort();
      const lost = fetch(`${world.url}/api/job`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: aborting.signal,
      });
      await expect(lost).rejects.toThrow();
      for (let tries = 0; ; tries += 1) {
        const { status } = await poster.resend('job', body, headers);
        if (status === 200) break;
        expect([status, tries < 50]).toEqual([409, true]);
        await new Promise(resolve => setTimeout(resolve, 50));
      }
      expect(await fees()).toHaveLength(before + 1);
    });

    test('shares its payment with no other request', async () => {
      const { body, headers } = await pays();
      const other = job();
      const before = (await fees()).length;
      const replies = await Promise.all([poster.resend('job', body, headers), poster.post('job', other, headers)]);
      expect(replies.map(({ body }) => body['code'] ?? 'paid').sort()).toEqual(['paid', 'payment_used']);
      const late = await poster.post('job', job(), headers);
      expect(late).toMatchObject({ status: 409, body: { code: 'payment_used', retryable: false } });
      expect(await fees()).toHaveLength(before + 1);
    });

    test('shares its response with the same body under the same idempotency key', async () => {
      const fields = job();
      const key = { 'idempotency-key': newIdempotencyKey() };
      const asked = await poster.post('job', fields, key);
      const [one, two] = [
        await paymentHeader(poster.wallet, asked, world.now()),
        await paymentHeader(poster.wallet, asked, world.now()),
      ];
      const before = (await fees()).length;
      const replies = [
        await poster.post('job', fields, { ...key, ...one }),
        await poster.post('job', fields, { ...key, ...two }),
      ];
      expect([replies[0]!.status, same(replies).size]).toEqual([200, 1]);
      expect(await fees()).toHaveLength(before + 1);
    });
  });

  test('the log passes the audit', async () => {
    expect(await world.audit()).toEqual(CLEAN);
  });
});
