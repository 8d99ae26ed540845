import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { keyProof } from '#libs/platform/signing/signed-message.js';
import { newIdempotencyKey, RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { signPayload, paymentHeader, encodePaymentV2 } from '../x402.js';
import { CLEAN, type World } from '../world.js';
import { type Child, startPair, stopPair } from './child.js';
import { answered } from './crash-fixture.js';

let world: World;
let child: Child;
let poster: RawAgent;
let worker: RawAgent;
beforeAll(async () => {
  [world, child] = await startPair();
  [poster, worker] = await world.raws('poster', 'worker');
});
afterAll(() => stopPair(world, child));

let titles = 0;
const summary = 'Twenty characters at least.';
const job = () => ({ title: `Job ${(titles += 1)}`, summary, done: 'a thing is done' });
const budgeted = () => ({ ...job(), budget_usd: '10' });
const urls = () => [world.url, child.url];
const codes = (replies: readonly Reply[]) =>
  replies.map(({ status, body }) => (status === 200 ? 'ok' : body['code'])).sort();

const atEach = (path: string, bodies: readonly unknown[], headers: readonly object[] = []) =>
  Promise.all(urls().map((url, at) => send(url, `/api/${path}`, { body: bodies[at], headers: { ...headers[at] } })));

describe('two gateways at the same time', () => {
  test('execute one of two messages with the same nonce', async () => {
    const { nonce } = poster.signed('job') as { nonce: string };
    const bodies = [job(), job()].map(fields => poster.signed('job', fields, { nonce }));
    expect(codes(await atEach('job', bodies))).toEqual(['nonce_used', 'ok']);
  });

  test('execute a request with an idempotency key once', async () => {
    const [before] = await world.counts('Registered');
    const headers = { 'idempotency-key': newIdempotencyKey() };
    const replies = await Promise.all(
      urls().map(url => answered(() => send(url, '/api/quickstart', { body: { kind: 'twin' }, headers }))),
    );
    expect(replies[0]!.body['token']).toBe(replies[1]!.body['token']);
    expect(await world.counts('Registered')).toEqual([before! + 1]);
  });

  test('give the last seat to one of two workers', async () => {
    const other = await world.raw('other worker');
    const role = (await poster.post('job', job())).body['role'] as string;
    await Promise.all([worker, other].map(each => each.post('apply', { role, note: 'Me.' })));
    const bodies = [worker, other].map(({ museId }) => poster.signed('hire', { role, to: museId }));
    expect(codes(await atEach('hire', bodies))).toEqual(['no_seats', 'ok']);
  });
});

test('a key replaced in one process and its tokens are dead in the other', async () => {
  const owner = await world.raw('Stolen');
  const thief = owner.publicKey;
  const { token } = (await owner.post('token', { action: 'issue' })).body;
  const headers = { authorization: `Bearer ${token as string}` };
  owner.url = child.url;
  // The other process has cached both.
  expect(await owner.post('whoami')).toMatchObject({ status: 200 });
  expect(await send(child.url, '/api/whoami', { body: {}, headers })).toMatchObject({ status: 200 });

  const next = new RawAgent(world.url, () => world.now());
  next.museId = owner.museId;
  const proof = next.proof(keyProof(next.museId, next.publicKey));
  owner.url = world.url;
  expect(await owner.post('key', { public_key: next.publicKey, proof })).toMatchObject({ status: 200 });

  owner.url = child.url;
  const signed = await Promise.all(
    ['whoami', 'post', 'token', 'inbox'].map(path => owner.post(path, { text: 'x', action: 'issue' })),
  );
  expect(signed.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  const byToken = await Promise.all(
    ['whoami', 'token'].map(path => send(child.url, `/api/${path}`, { body: { action: 'rotate' }, headers })),
  );
  expect(byToken.map(({ status }) => status)).toEqual([401, 401]);
  expect((await next.post('whoami')).status).toBe(200);
  const events = (await world.events()).filter(({ stream }) => stream === `muse-${owner.museId}`);
  const bound = events.findIndex(({ type }) => type === 'KeyBound');
  const later = events.slice(bound + 1).map(({ authorization }) => authorization);
  expect(later.filter(each => each.mode === 'signature' && each.public_key === thief)).toEqual([]);
});

describe('payments at two gateways at the same time', () => {
  const fees = () => world.token('usdc-base').transfers(poster.wallet.address);

  test('send a payment once and return equal responses', async () => {
    for (let round = 0; round < 3; round += 1) {
      const body = poster.signed('job', budgeted());
      const headers = await paymentHeader(poster.wallet, await poster.resend('job', body), world.now());
      const before = (await fees()).length;
      const replies = await Promise.all(urls().map(url => answered(() => send(url, '/api/job', { body, headers }))));
      expect(codes(replies)).toEqual(['ok', 'ok']);
      expect(replies[0]!.body).toEqual(replies[1]!.body);
      expect(await fees()).toHaveLength(before + 1);
    }
  });

  test('use a payment for only one of two requests', async () => {
    const bodies = [budgeted(), budgeted()].map(fields => poster.signed('job', fields));
    const headers = await paymentHeader(poster.wallet, await poster.resend('job', bodies[0]), world.now());
    const before = (await fees()).length;
    const replies = await atEach('job', bodies, [headers, headers]);
    expect(codes(replies)).toEqual(['ok', 'payment_used']);
    expect(await fees()).toHaveLength(before + 1);
  });

  test('pay a wage once with two payments', async () => {
    const posted = budgeted();
    const posting = await paymentHeader(poster.wallet, await poster.post('job', posted), world.now());
    const role = (await poster.post('job', posted, posting)).body['role'] as string;
    await worker.post('apply', { role, note: 'Me.' });
    const hire = textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
    await worker.post('deliver', { hire, url: world.page('done') });
    const offer = await poster.post('pay', { hire });
    const payments = await Promise.all([1, 2].map(() => signPayload(poster.wallet, offer, world.now())));
    const headers = payments.map(each => ({ 'payment-signature': encodePaymentV2(offer, each) }));
    const bodies = [1, 2].map(() => poster.signed('pay', { hire }));
    const first = await atEach('pay', bodies, headers);
    expect(['ok', 'settlement_pending']).toEqual(expect.arrayContaining(codes(first)));
    const ask = (at: number) => () =>
      send(urls()[at]!, '/api/pay', { body: poster.signed('pay', { hire }), headers: headers[at]! });
    const replies = await Promise.all([0, 1].map(at => answered(ask(at))));
    expect(codes(replies)).toEqual(['ok', 'ok']);
    expect(replies[0]!.body['receipt']).toEqual(replies[1]!.body['receipt']);
    const wages = await world.token('usdc-base').transfers(poster.wallet.address, worker.wallet.address);
    expect(wages).toHaveLength(1);
    expect((await world.eventTypes(`hire-${hire}`)).filter(type => type === 'Paid')).toHaveLength(1);
  });

  test('settle twenty payments from two processes through a single relayer', async () => {
    const before = (await fees()).length;
    const pay = async (at: number) => {
      const body = poster.signed('job', budgeted());
      const reply = await send(urls()[at % 2]!, '/api/job', { body });
      const headers = await paymentHeader(poster.wallet, reply, world.now());
      return answered(() => send(urls()[at % 2]!, '/api/job', { body, headers }));
    };
    const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => pay(at)));
    expect(new Set(codes(replies))).toEqual(new Set(['ok']));
    expect(await fees()).toHaveLength(before + 20);
  });
});

test('the log of two processes passes the audit', async () => expect(await world.audit()).toEqual(CLEAN));
