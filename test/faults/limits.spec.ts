import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import { quickstart, RawAgent, type Reply, send } from '../raw-agent.js';
import { CLEAN, type World } from '../world.js';
import { type Child, startPair, stopPair } from './child.js';

/** Loading a process is slow on a busy machine. */
const START_MS = 120_000;
const ROUNDS = 10;
const SETTINGS = { RATE_LIMITS: 'dev', TRUST_PROXY: '1' };
let world: World;
let child: Child;
let agent: RawAgent;
beforeAll(async () => {
  [world, child] = await startPair({ settings: SETTINGS });
  agent = await world.raw('counted');
}, START_MS);
beforeEach(() => world.advance(DAY_MS));
afterAll(() => stopPair(world, child));

const urlOf = (at: number) => [world.url, child.url][at % 2]!;
const codes = (replies: readonly Reply[]) =>
  replies.map(({ status, body }) => (status === 429 ? body['limit'] : status)) as (string | number)[];
const count = (replies: readonly Reply[], code: string | number) => codes(replies).filter(each => each === code).length;

async function inTurn(times: number, ask: (url: string, at: number) => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let at = 0; at < times; at += 1) replies.push(await ask(urlOf(at), at));
  return replies;
}

test('a muse may send sixty requests a minute to both processes together', async () => {
  const ask = (url: string) => send(url, '/api/withdraw', { body: agent.signed('withdraw', { role: 'nothing' }) });
  const replies = await inTurn(64, ask);
  expect([count(replies, 404), count(replies, 'requests')]).toEqual([60, 4]);
});

test('sixty of the concurrent requests to both processes pass', async () => {
  const ask = (at: number) => send(urlOf(at), '/api/withdraw', { body: agent.signed('withdraw', { role: 'nothing' }) });
  const replies = await Promise.all(Array.from({ length: 80 }, (_, at) => ask(at)));
  expect([count(replies, 404), count(replies, 'requests')]).toEqual([60, 20]);
});

test('a signed request that is sent to both counts once', async () => {
  const body = agent.signed('withdraw', { role: 'nothing' });
  await inTurn(20, url => send(url, '/api/withdraw', { body }));
  const last = await send(child.url, '/api/withdraw', { body: agent.signed('withdraw', { role: 'nothing' }) });
  expect(last.headers.get('ratelimit')).toMatch(/^"requests";r=58;/);
});

test('ten of many jobs posted to both at the same time succeed', async () => {
  const { headers } = await quickstart(world.url, { kind: 'poster' });
  const [before] = await world.counts('JobPosted');
  const job = (at: number) => ({ title: `Job ${at}`, summary: 'Twenty characters at least.', done: 'a thing is done' });
  const replies = await Promise.all(
    Array.from({ length: 30 }, (_, at) => send(urlOf(at), '/api/job', { body: job(at), headers })),
  );
  expect([count(replies, 200), count(replies, 'job')]).toEqual([10, 20]);
  expect(await world.counts('JobPosted')).toEqual([before! + 10]);
});

test('two concurrent first requests for a task get the same task', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { headers } = await quickstart(world.url, { kind: 'tasked' });
    const ask = (at: number) => send(urlOf(at), '/api/instant', { body: {}, headers });
    const [one, other] = await Promise.all([ask(0), ask(round)]);
    expect(codes([one, other])).toEqual([200, 200]);
    expect(one.body['task']).toEqual(other.body['task']);
  }
});

test('ten identities and thirty guesses an hour per address count for both together', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.77' };
  const made = await inTurn(12, url => send(url, '/api/quickstart', { body: { kind: 'many' }, headers }));
  expect([count(made, 200), count(made, 'new_identities')]).toEqual([10, 2]);
  const wrong = { ...headers, authorization: `Bearer service_tok_${'x'.repeat(43)}` };
  const guessed = await inTurn(32, url => send(url, '/api/whoami', { body: {}, headers: wrong }));
  expect([count(guessed, 401), count(guessed, 'failed_authentications')]).toEqual([30, 2]);
  for (const url of [world.url, child.url]) {
    const forged = { ...agent.signed('whoami'), nonce: 'x'.repeat(16) };
    expect(codes([await send(url, '/api/whoami', { body: forged, headers })])).toEqual(['failed_authentications']);
    expect(codes([await send(url, '/api/whoami', { body: agent.signed('whoami'), headers })])).toEqual([200]);
  }
});

test('each process counts its own reads', async () => {
  const headers = { 'x-forwarded-for': '192.0.2.78' };
  const replies = await inTurn(4, url => send(url, '/api/roles', { headers }));
  const left = replies.map(reply => reply.headers.get('ratelimit')!.split(';')[1]);
  expect(left).toEqual(['r=599', 'r=599', 'r=598', 'r=598']);
});

test('a window that spans midnight keeps its count', async () => {
  const intoTheDay = world.now() % DAY_MS;
  await world.advance(DAY_MS - intoTheDay - HOUR_MS / 2);
  const make = (url: string) =>
    send(url, '/api/quickstart', { body: { kind: 'many' }, headers: { 'x-forwarded-for': '192.0.2.79' } });
  await inTurn(10, make);
  await world.advance(HOUR_MS * 0.75);
  expect(codes(await inTurn(2, make))).toEqual(['new_identities', 'new_identities']);
  await world.advance(HOUR_MS / 4);
  expect(codes(await inTurn(2, make))).toEqual([200, 200]);
});

test('the log of two processes with limits passes the audit', async () => expect(await world.audit()).toEqual(CLEAN));
