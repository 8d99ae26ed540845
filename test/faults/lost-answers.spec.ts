import { afterEach, beforeAll, describe, expect, jest, test } from '@jest/globals';
import type { Coordination } from '#libs/platform/coordination/port.js';
import type { Journal } from '#libs/event-log/journal.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import type { Stores } from '#libs/setup/stores.js';
import { overrideMethods } from '../doubles/override-methods.js';
import { newIdempotencyKey, newNonce, RawAgent, send } from '../raw-agent.js';
import { PURCHASES } from '../purchases.js';
import { World } from '../world.js';
import { useWorld } from '../use-world.js';

const world = useWorld(() => World.start({ overrides: { stores } }));
let agent: RawAgent;
beforeAll(async () => {
  agent = await world.raw('caller');
});
afterEach(() => {
  sharedState = 'up';
  lost = null;
  jest.restoreAllMocks();
});

/** Type of the event whose append succeeds while its response is lost once. */
let lost: string | null = null;
/** In state `half` locks can be taken but not released. */
let sharedState: 'up' | 'half' = 'up';

const stores = (opened: Stores): Stores => ({
  ...opened,
  journal: overrideMethods(opened.journal, { append }),
  coordination: overrideMethods(opened.coordination, { compareAndSet }),
});

async function append(real: Journal, ...args: Parameters<Journal['append']>) {
  const written = await real.append(...args);
  if (!written.some(({ type }) => type === lost)) return written;
  lost = null;
  throw new Unavailable('The event log');
}

async function compareAndSet(real: Coordination, ...args: Parameters<Coordination['compareAndSet']>) {
  if (sharedState === 'half') throw new Unavailable('The shared state');
  return real.compareAndSet(...args);
}

const job = { title: 'A job', summary: 'Twenty characters at least.', done: 'a thing is done' };
const jobs = async () => (await world.counts('JobPosted'))[0]!;

describe('a write with a lost response', () => {
  test('is found by its idempotency key under any signature', async () => {
    const before = await jobs();
    const headers = { 'idempotency-key': newIdempotencyKey() };
    lost = 'JobPosted';
    expect(await agent.post('job', job, headers)).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    const [second, third] = [await agent.post('job', job, headers), await agent.post('job', job, headers)];
    expect([second.status, second.body]).toEqual([200, third.body]);
    expect(await jobs()).toBe(before + 1);
  });

  test('keeps its nonce from other messages and is confirmed to its own', async () => {
    const before = await jobs();
    const nonce = newNonce();
    const body = agent.signed('job', job, { nonce });
    lost = 'JobPosted';
    expect(await agent.resend('job', body)).toMatchObject({ status: 503 });
    const other = agent.signed('job', { ...job, title: 'Another' }, { nonce });
    expect(await agent.resend('job', other)).toMatchObject({ status: 409, body: { code: 'nonce_used' } });
    expect(await agent.resend('job', body)).toMatchObject({ status: 200 });
    expect(await jobs()).toBe(before + 1);
  });
});

describe('while the shared state cannot record the end of a request', () => {
  test('a write is confirmed', async () => {
    sharedState = 'half';
    const before = await jobs();
    expect(await agent.post('job', job)).toMatchObject({ status: 200 });
    expect(await jobs()).toBe(before + 1);
  });

  test('a payment is confirmed', async () => {
    const purchase = await PURCHASES['verify']!(world, 'usdg-robinhood');
    const payment = await purchase.sign();
    sharedState = 'half';
    expect(await purchase.pay(payment)).toMatchObject({ status: 200, body: { paid: true } });
    expect(await purchase.transfers(payment)).toHaveLength(1);
  });

  test('a refusal is returned', async () => {
    sharedState = 'half';
    expect(await agent.post('close', { role: 'job-1' })).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });
});

describe('while the read models are unavailable', () => {
  const away = () => new Unavailable('The document store');

  test('a write and a payment are confirmed', async () => {
    const purchase = await PURCHASES['verify']!(world, 'usdg-robinhood');
    const payment = await purchase.sign();
    jest.spyOn(world.service.models, 'waitForPosition').mockRejectedValue(away());
    expect(await agent.post('job', job)).toMatchObject({ status: 200 });
    expect(await purchase.pay(payment)).toMatchObject({ status: 200, body: { paid: true } });
  });

  test('returns 200 for a stored hire, reaction, job and task', async () => {
    const worker = await world.raw('Answers');
    const { body: posted } = await agent.post('job', job);
    const role = posted['role'] as string;
    expect(await worker.post('apply', { role, note: 'Gladly.' })).toMatchObject({ status: 200 });
    const { body: posting } = await agent.post('post', { text: 'Look at this.' });
    const { body: given } = await worker.post('instant');
    const { id } = given['task'] as unknown as { readonly id: number };
    await world.settle();
    const types = ['SeatFilled', 'Reacted', 'JobPosted', 'InstantTaskAnswered'];
    const before = await world.counts(...types);
    const submitted = worker.signed('submit', { id: String(id), answer: 'nothing' });
    jest.spyOn(world.service.models, 'of').mockImplementation(() => {
      throw away();
    });
    const replies = [
      await agent.post('hire', { role, to: worker.museId }),
      await worker.post('react', { post_id: JSON.stringify(posting['id']), type: 'like' }),
      await agent.post('delegate', { task: 'Translate one page of the manual.' }),
      await send(world.url, '/api/instant/submit', { body: submitted }),
    ];
    jest.restoreAllMocks();
    expect(replies.map(({ status, body }) => [status, body])).toEqual(replies.map(({ body }) => [200, body]));
    expect(await world.counts(...types)).toEqual(before.map(count => count + 1));
  });

  test('a quickstart that is retried after a 503 creates one identity', async () => {
    const [before] = await world.counts('Registered');
    const come = () => send(world.url, '/api/quickstart', { body: { name: 'Comes again', kind: 'a' } });
    // Disables cached responses.
    jest.spyOn(world.service.models, 'version').mockReturnValue(undefined);
    for (const read of ['of', 'cached'] as const)
      jest.spyOn(world.service.models, read).mockImplementation(() => {
        throw away();
      });
    expect(await come()).toMatchObject({ status: 503 });
    jest.restoreAllMocks();
    expect(await come()).toMatchObject({ status: 200 });
    expect(await world.counts('Registered')).toEqual([before! + 1]);
  });
});
