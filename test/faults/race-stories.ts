import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DAY_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { RAILS } from '#libs/payments/rails.js';
import { type HeaderFields, newIdempotencyKey, RawAgent, type Reply, send, textOf } from '../raw-agent.js';
import { signPayload, encodePaymentV2 } from '../x402.js';
import { CLEAN, newFolder, type World } from '../world.js';
import { type Child, startPair, stopPair } from './child.js';
import { answered } from './crash-fixture.js';
import type { RaceStore } from './race-store.js';

/**
 * Sends a thousand concurrent requests to two gateways on the same data folder; `FAULTS=all` runs all rounds instead of
 * a tenth.
 */
const IS_WHOLE = process.env['FAULTS'] === 'all';
const WALLETS = IS_WHOLE ? 20 : 5;
/** Rounds for names, keys, nonces, idempotency keys and limits. */
const EACH = IS_WHOLE ? 196 : 19;
const BESIDE = 8;
const TIMEOUT_MS = 120_000;

/** Declares the races over an event log. */
export function raceStories(openStore: () => Promise<RaceStore>): void {
  let world: World;
  let child: Child;
  let store: RaceStore;
  const urls = () => [world.url, child.url];
  beforeAll(async () => {
    const folder = newFolder();
    const file = join(folder, 'limits.json');
    const many = { points: 100_000, seconds: DAY_MS / SECOND_MS };
    const one = { points: 1, seconds: DAY_MS / SECOND_MS };
    writeFileSync(file, JSON.stringify({ new_identities: many, connect: one }));
    store = await openStore();
    [world, child] = await startPair({ folder, settings: { RATE_LIMITS: file, ...store.settings } });
  }, TIMEOUT_MS);
  afterAll(async () => {
    await stopPair(world, child);
    await store.close();
  });

  async function races(rounds: number, race: (round: number) => Promise<void>): Promise<void> {
    let next = 0;
    const lane = async () => {
      while (next < rounds) await race((next += 1));
    };
    await Promise.all(Array.from({ length: BESIDE }, lane));
  }

  const atBoth = (ask: (url: string, at: number) => Promise<Reply>) => Promise.all(urls().map(ask));
  const codeOf = (reply: Reply) => (reply.status === 200 ? 'ok' : textOf(reply, 'code'));
  const codes = (replies: readonly Reply[]) => replies.map(codeOf).sort();
  const newAgent = () => new RawAgent(world.url, () => world.now());

  async function counted(type: string, during: () => Promise<void>): Promise<number> {
    const [before] = await world.counts(type);
    await during();
    const [after] = await world.counts(type);
    return after! - before!;
  }

  /** Winners of a name become the callers of the next races. */
  const callers: HeaderFields[] = [];
  const agents: RawAgent[] = [];

  test(
    `${EACH} names go to one caller each, and the other gets suggestions`,
    async () => {
      const registered = await counted('Registered', () =>
        races(EACH, async round => {
          const spellings = [`Raced ${round}`, `RACED ${round}`];
          const replies = await atBoth((url, at) => send(url, '/api/quickstart', { body: { name: spellings[at] } }));
          expect(codes(replies)).toEqual(['name_taken', 'ok']);
          const [won, lost] = [...replies].sort((one, other) => one.status - other.status) as [Reply, Reply];
          expect(lost.body['suggestions']).toHaveLength(3);
          callers.push({ authorization: `Bearer ${won.body['token'] as string}` });
        }),
      );
      expect(registered).toBe(EACH);
    },
    TIMEOUT_MS,
  );

  test(
    `${EACH} keys are registered once each, under one name`,
    async () => {
      const registered = await counted('Registered', () =>
        races(EACH, async round => {
          const agent = newAgent();
          const names = [`First ${round} of a key`, `Second ${round} of a key`];
          const bodies = names.map(name => agent.signed('register', { name, headline: 'h' }));
          const replies = await atBoth((url, at) => send(url, '/api/register', { body: bodies[at] }));
          expect(codes(replies)).toEqual(['ok', 'ok']);
          expect(replies.map(({ body }) => body['created']).sort()).toEqual([false, true]);
          expect(new Set(replies.map(({ body }) => body['muse_id'])).size).toBe(1);
          agent.museId = replies[0]!.body['muse_id'] as string;
          agents.push(agent);
        }),
      );
      expect(registered).toBe(EACH);
    },
    TIMEOUT_MS,
  );

  test(
    `${EACH} signed requests run once each, and their repetitions are refused`,
    async () => {
      await races(EACH, async round => {
        const reply = await agents[round - 1]!.post('join', { headline: 'h' });
        expect(codeOf(reply)).toBe('ok');
      });
      const posted = await counted('Posted', () =>
        races(EACH, async round => {
          const agent = agents[round - 1]!;
          const body = agent.signed('post', { text: `Round ${round}` });
          const replies = await atBoth(url => send(url, '/api/post', { body }));
          expect(codes(replies).filter(code => code === 'ok')).toHaveLength(1);
          expect(['ok', 'in_progress', 'nonce_used']).toEqual(expect.arrayContaining(codes(replies)));
        }),
      );
      expect(posted).toBe(EACH);
    },
    TIMEOUT_MS,
  );

  test(
    `${EACH} requests run once per idempotency key, with equal responses`,
    async () => {
      const made = await counted('JobPosted', () =>
        races(EACH, async round => {
          const headers = { ...callers[round - 1]!, 'idempotency-key': newIdempotencyKey() };
          const body = { title: `Round ${round}`, summary: 'Twenty characters at least.', done: 'a thing is done' };
          const replies = await atBoth(url => answered(() => send(url, '/api/job', { body, headers })));
          expect(codes(replies)).toEqual(['ok', 'ok']);
          expect(replies[0]!.body).toEqual(replies[1]!.body);
        }),
      );
      expect(made).toBe(EACH);
    },
    TIMEOUT_MS,
  );

  test(
    `${EACH} limits of one request are not exceeded`,
    async () => {
      const requests = await counted('ConnectionRequested', () =>
        races(EACH, async round => {
          const to = [round % EACH, (round + 1) % EACH].map(at => agents[at]!.museId);
          const headers = callers[round - 1]!;
          const replies = await atBoth((url, at) => send(url, '/api/connect', { body: { to: to[at] }, headers }));
          expect(codes(replies)).toEqual(['ok', 'rate_limited']);
          expect(replies.find(({ status }) => status === 429)!.body['limit']).toBe('connect');
        }),
      );
      expect(requests).toBe(EACH);
    },
    TIMEOUT_MS,
  );

  /** Both pay from the wallet that both request. */
  async function verifying(pair: readonly RawAgent[]): Promise<readonly Reply[]> {
    const { wallet } = pair[0]!;
    await world.fund(wallet.address);
    const fields = { wallet: wallet.address };
    const offers = await Promise.all(pair.map(agent => agent.post('verify', fields)));
    const payments = await Promise.all(offers.map(each => signPayload(wallet, each, world.now())));
    const headers = payments.map((payment, at) => ({ 'payment-signature': encodePaymentV2(offers[at]!, payment) }));
    const ask = (url: string, at: number) => () =>
      send(url, '/api/verify', { body: pair[at]!.signed('verify', fields), headers: headers[at]! });
    return atBoth((url, at) => answered(ask(url, at)));
  }

  test(
    `${WALLETS} wallets are bound to one muse each and charged once`,
    async () => {
      const verified = await counted('Verified', () =>
        races(WALLETS, async round => {
          const pair = agents.slice(2 * round - 2, 2 * round);
          expect(codes(await verifying(pair))).toEqual(['ok', 'wallet_taken']);
          const sent = await Promise.all(RAILS.map(({ name }) => world.token(name).transfers(pair[0]!.wallet.address)));
          expect(sent.flat()).toHaveLength(1);
        }),
      );
      expect(verified).toBe(WALLETS);
    },
    TIMEOUT_MS,
  );

  test('the log of the races passes the audit', async () => expect(await world.audit()).toEqual(CLEAN), TIMEOUT_MS);
}
