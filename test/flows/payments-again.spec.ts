import { beforeAll, describe, expect, test } from '@jest/globals';
import { newIdempotencyKey, type RawAgent, type Reply } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { paymentHeader } from '../x402.js';

let poster: RawAgent;
/** Runs just before a payment claims its target. */
let beforeClaim: () => unknown = () => undefined;
const beforeStep = (step: { readonly do: string }) => Promise.resolve(void (step.do === 'claim' && beforeClaim()));
const world = useWorld({ overrides: { payments: { beforeStep } } });
beforeAll(async () => {
  poster = await world.raw('payer');
});

let titles = 0;
const summary = 'Twenty characters at least.';
const job = () => ({ title: `Job ${(titles += 1)}`, summary, done: 'a thing is done', budget_usd: '10' });
const fees = () => world.token('usdc-base').transfers(poster.wallet.address);
const counts = () => world.counts('PaymentAccepted', 'PaymentApplied', 'JobPosted');

describe('a paid request', () => {
  async function pays() {
    const body = poster.signed('job', job());
    return { body, headers: await paymentHeader(poster.wallet, await poster.resend('job', body), world.now()) };
  }
  const same = (replies: readonly Reply[]) =>
    new Set(replies.map(({ status, body }) => JSON.stringify([status, body])));

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

  test('shares its response with the same body under the same idempotency key', async () => {
    const fields = job();
    const key = { 'idempotency-key': newIdempotencyKey() };
    const offer = await poster.post('job', fields, key);
    const [one, two] = [
      await paymentHeader(poster.wallet, offer, world.now()),
      await paymentHeader(poster.wallet, offer, world.now()),
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
