import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Step } from '#libs/payments/payment-machine.js';
import { RAILS } from '#libs/payments/rails.js';
import { type RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { CLEAN, type World } from '../world.js';
import { paymentHeader } from '../x402.js';
import { type Child, startPair, stopPair } from './child.js';
import { telling } from './telling.js';

let world: World;
let child: Child;
/** Runs before a step of a payment or the sealing of an event in the first process. */
let before: (step: string) => Promise<void> = () => Promise.resolve();
beforeAll(async () => {
  const payments = { beforeStep: (step: Step) => before(step.do) };
  [world, child] = await startPair({ overrides: { payments, stores: telling(type => before(type)) } });
});
afterAll(() => stopPair(world, child));
beforeEach(() => {
  before = () => Promise.resolve();
});

let names = 0;
const agent = () => world.raw(`Leaver ${(names += 1)}`);
const forget = (muse: RawAgent, url = world.url) =>
  send(url, '/api/forget', { body: muse.signed('forget', { confirm: muse.museId }) });
const TRIES_MAX = 20;
/** Retries while the response reports concurrent writes. */
async function forgetAtLast(muse: RawAgent, url: string): Promise<Reply> {
  const body = muse.signed('forget', { confirm: muse.museId });
  let reply = await send(url, '/api/forget', { body });
  for (let tries = 1; reply.status === 503 && tries < TRIES_MAX; tries += 1) {
    await new Promise(resolve => setTimeout(resolve, 100));
    reply = await send(url, '/api/forget', { body });
  }
  return reply;
}
const summary = 'Twenty characters at least.';
const ok = { status: 200, body: { ok: true } };

function forgetBefore(step: string, muse: RawAgent): void {
  before = async next => {
    if (next !== step) return;
    before = () => Promise.resolve();
    expect(await forget(muse, child.url)).toMatchObject(ok);
  };
}

async function paidFor(muse: RawAgent, endpoint: string, fields: { [name: string]: string }): Promise<Reply> {
  const offer = await muse.post(endpoint, fields);
  return muse.post(endpoint, fields, await paymentHeader(muse.wallet, offer, world.now()));
}

const ended = async () => {
  const events = (await world.events()) as { type: string; data: { outcome?: string; reason?: string } }[];
  const { outcome, reason } = events.findLast(({ type }) => type === 'PaymentApplied')!.data;
  return { outcome, reason };
};

describe('during a pending payment of a forgotten muse', () => {
  test('a paid job without readable terms is void', async () => {
    const poster = await agent();
    forgetBefore('apply', poster);
    const fields = { title: 'Said too late', summary, done: 'a thing is done', budget_usd: '10' };
    expect(await paidFor(poster, 'job', fields)).toMatchObject({ body: { paid: true, void: 'forgotten' } });
    expect(await ended()).toEqual({ outcome: 'void', reason: 'forgotten' });
  });

  test('a wage reaches its worker and its record', async () => {
    const [poster, worker] = [await agent(), await agent()];
    const job = { title: 'Paid', summary, done: 'a thing is done', budget_usd: '10' };
    const role = textOf(await paidFor(poster, 'job', job), 'role');
    await worker.post('apply', { role, note: 'I can.' });
    const hire = textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
    await worker.post('deliver', { hire, url: world.page('done') });
    forgetBefore('apply', poster);
    expect(await paidFor(poster, 'pay', { hire })).toMatchObject({ body: { paid: true } });
    expect(await ended()).toEqual({ outcome: 'applied', reason: null });
    await world.settle();
    const { body } = await send(world.url, `/api/muse/${worker.museId}`);
    expect(body).toMatchObject({ earned: [{ token: 'USDC', count: 1, usd: '10' }], positions: [{ paid: true }] });
  });

  test('a verification binds no wallet, and the wallet is free', async () => {
    const muse = await agent();
    forgetBefore('apply', muse);
    const wallet = muse.wallet.address;
    expect(await paidFor(muse, 'verify', { wallet })).toMatchObject({ body: { paid: true, void: 'forgotten' } });
    const next = await agent();
    const offer = await next.post('verify', { wallet });
    const header = await paymentHeader(muse.wallet, offer, world.now());
    expect(await next.post('verify', { wallet }, header)).toMatchObject({ body: { verified: true, wallet } });
  });
});

describe('before a payment of a forgotten muse is recorded', () => {
  test('the request fails as forgotten without a charge', async () => {
    const poster = await agent();
    forgetBefore('PaymentAccepted', poster);
    const fields = { title: 'Never written', summary, done: 'a thing is done', budget_usd: '10' };
    expect(await paidFor(poster, 'job', fields)).toMatchObject({ status: 401, body: { code: 'forgotten' } });
    const charged = RAILS.map(({ name }) => world.token(name).transfers(poster.wallet.address));
    expect((await Promise.all(charged)).flat()).toEqual([]);
  });
});

describe('during writes of a forgotten muse at two gateways', () => {
  test('each write is refused or erased', async () => {
    for (let round = 0; round < 4; round += 1) {
      const muse = await agent();
      const text = `Said-in-round-${round}`;
      const post = (url: string) => send(url, '/api/post', { body: muse.signed('post', { text }) });
      const writing = [world.url, child.url, world.url, child.url].map(post);
      const [leaving, ...replies] = await Promise.all([forgetAtLast(muse, child.url), ...writing]);
      expect(leaving).toMatchObject(ok);
      for (const { status, body } of replies) expect([200, 401, 503]).toContain(status === 401 ? 401 : status || body);
      await world.settle();
      for (const url of [world.url, child.url])
        for (const path of ['feed?limit=50', `muse/${muse.museId}`, 'events?limit=1000'])
          expect(JSON.stringify(await send(url, `/api/${path}`))).not.toContain(text);
    }
  });

  test('both gateways know at once that it is forgotten', async () => {
    const muse = await agent();
    expect(await send(child.url, '/api/whoami', { body: muse.signed('whoami') })).toMatchObject(ok);
    expect(await forget(muse)).toMatchObject(ok);
    for (const url of [child.url, world.url])
      expect(await send(url, '/api/whoami', { body: muse.signed('whoami') })).toMatchObject({
        status: 401,
        body: { code: 'forgotten' },
      });
  });
});

test('the log of two processes that erase agents passes the audit', async () => {
  expect(await world.audit()).toEqual(CLEAN);
});
