import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { LONG_BASE_URL } from '../header-sizes.js';
import { message, VERSION } from '../a2a.js';
import { type HeaderFields, quickstart, type RawAgent } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import { hasProxy, PROXIES, Proxy, titled } from './proxy.js';

const HOST = new URL(LONG_BASE_URL).host;
const JSON_BODY = { 'content-type': 'application/json' };
const TAIL = { accept: 'text/event-stream' };
const TAILS_MAX = 4;
const SOON_MS = 2_000;

/** Returns the next chunk of an endless response, or fails after a timeout. */
function nextOf(answer: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`Nothing came within ${SOON_MS} ms.`)), SOON_MS);
    answer.once('data', (chunk: Buffer) => {
      clearTimeout(timer);
      answer.pause();
      resolve(chunk.toString());
    });
    answer.resume();
  });
}

describe.each(PROXIES)('%s', name => {
  (hasProxy(name) ? describe : describe.skip)(titled(name), () => {
    let world: World;
    let proxy: Proxy;
    let member: HeaderFields;
    let author: RawAgent;
    beforeAll(async () => {
      world = await World.start({ settings: { BASE_URL: LONG_BASE_URL, TRUST_PROXY: '1' } });
      proxy = await Proxy.start(name, world.url, HOST);
      ({ headers: member } = await quickstart(world.url, { name: 'Poster', kind: 'publisher' }));
      author = await world.raw('Author');
    });
    afterAll(async () => {
      await proxy.stop();
      expect(await world.audit()).toEqual(CLEAN);
      await world.stop();
    });

    const post = (path: string, body: object, headers: HeaderFields = {}) =>
      proxy.ask(path, { method: 'POST', headers: { ...JSON_BODY, ...headers }, body: JSON.stringify(body) });
    const headOf = async () => {
      const page = JSON.parse(await text(await proxy.ask('/api/events?limit=1'))) as JsonObject;
      return page['head'] as string;
    };

    test('passes the 402 of a paid job and of an identity', async () => {
      const job = {
        title: 'Translate',
        summary: 'Translate a page of text.',
        done: 'It is translated.',
        budget_usd: '5',
      };
      for (const answer of [await post('/api/job', job, member), await post('/api/identity', {})]) {
        expect([answer.statusCode, JSON.parse(await text(answer))]).toMatchObject([402, { ok: false }]);
        expect(answer.headers['payment-required']).toEqual(expect.any(String));
      }
    });

    test('passes the first byte and each event of a live tail at once', async () => {
      const tail = await proxy.ask(`/api/events?after=${await headOf()}&types=Posted`, { headers: TAIL });
      expect([tail.statusCode, tail.headers['content-type']]).toEqual([200, 'text/event-stream']);
      expect(await nextOf(tail)).toContain(': the events follow');
      for (const words of ['The first post.', 'The second post.']) {
        expect((await author.post('post', { text: words })).status).toBe(200);
        expect(await nextOf(tail)).toContain('event: Posted');
      }
      tail.destroy();
    });

    test('passes the stream of a task at once', async () => {
      const params = message('Translate one page of a manual into French.');
      const call = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params };
      const stream = await post('/a2a', call, { ...VERSION, ...member });
      expect(await nextOf(stream)).toContain('TASK_STATE_SUBMITTED');
      stream.destroy();
    });

    test('passes the answer of a waiting request when something happens', async () => {
      const waiting = proxy.ask(`/api/events?after=${await headOf()}&types=Posted&wait=25`);
      expect((await author.post('post', { text: 'Something happens.' })).status).toBe(200);
      expect(JSON.parse(await text(await waiting))).toMatchObject({ ok: true, events: [{ type: 'Posted' }] });
    });

    test('counts clients by their real address and frees their places', async () => {
      const tailOf = (n: number) =>
        proxy.ask('/api/events', { headers: { ...TAIL, 'x-forwarded-for': `198.51.100.${n}` } });
      const until = Date.now() + 2 * SOON_MS;
      let tails: IncomingMessage[] = [];
      for (const round of [1, 2]) {
        do {
          for (const tail of tails) tail.destroy();
          tails = await Promise.all(Array.from({ length: TAILS_MAX + 1 }, (_, n) => tailOf(n)));
        } while (tails.filter(({ statusCode }) => statusCode === 200).length < TAILS_MAX && Date.now() < until);
        const statuses = tails.map(({ statusCode }) => statusCode).sort();
        expect([round, ...statuses]).toEqual([round, 200, 200, 200, 200, 429]);
      }
      for (const tail of tails) tail.destroy();
    });

    test('redirects http to https', async () => {
      const answer = await fetch(`${proxy.plainUrl}/jobs?x=1`, { headers: { host: HOST }, redirect: 'manual' });
      expect(answer.status).toBeGreaterThanOrEqual(301);
      expect(answer.headers.get('location')).toMatch(/^https:\/\/.*\/jobs\?x=1$/);
    });
  });
});
