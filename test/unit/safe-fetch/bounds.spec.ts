import type { RequestListener } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { PRIVATE_HOSTS } from './hostile-addresses.js';
import { closeAll, fetcher, resolver, serve, sha256, site } from './site.js';

afterEach(closeAll);

/** Percent-encodes characters that a header cannot contain. */
const asSent = (text: string) => text.replace(/[^ -~]+/g, encodeURIComponent);

describe('redirects', () => {
  const to =
    (location: string | undefined, status = 302): RequestListener =>
    (request, answer) => {
      if (request.url === '/end') answer.end('the end');
      else answer.writeHead(status, location === undefined ? {} : { location: asSent(location) }).end('not this');
    };

  test.each([301, 302, 303, 307, 308])('follows a redirect with status %s', async status => {
    const { fetcher, url } = await site(to('/end', status));
    expect(await fetcher.fetch(url)).toMatchObject({ ok: true, digest: sha256('the end'), url: `${url}end` });
  });

  test.each(
    [
      ['https://10.0.0.1/', 'private_address'],
      ['https://[::ffff:7f00:1]/', 'private_address'],
      ['http://example.com/', 'not_https'],
      ['//example.com/', 'not_https'],
      ['https://user@example.com/', 'credentials'],
      ['file:///etc/passwd', 'malformed'],
      ['https://', 'bad_redirect'],
      [`https://example.com/${'a'.repeat(5_000)}`, 'too_long'],
      [undefined, 'bad_redirect'],
    ].map(([location, reason]) => ({ location, reason })),
  )('checks the target of a redirect: $reason', async ({ location, reason }) => {
    const { fetcher, url } = await site(to(location));
    expect(await fetcher.fetch(url)).toMatchObject({ ok: false, reason });
  });

  test.each(PRIVATE_HOSTS)('refuses a redirect to the private address %s', async host => {
    for (const location of [`https://${host}/`, `//${host}/`]) {
      const { fetcher, url } = await site(to(location));
      const reason = location.startsWith('//') ? 'not_https' : 'private_address';
      expect(await fetcher.fetch(url)).toEqual({ ok: false, reason });
    }
  });

  test('refuses a redirect to a name with a private address', async () => {
    const { resolve } = resolver(['127.0.0.1'], ['192.168.0.1']);
    const { fetcher, url } = await site(to('https://inside.test/'), { resolve });
    expect(await fetcher.fetch(url)).toEqual({ ok: false, reason: 'unresolvable' });
  });

  test('follows three redirects but not a fourth or a loop', async () => {
    const steps: RequestListener = (request, answer) => {
      const step = Number(request.url!.slice(1));
      if (step === 0) answer.end('arrived');
      else answer.writeHead(302, { location: `/${step - 1}` }).end();
    };
    const { fetcher, url } = await site(steps);
    expect(await fetcher.fetch(`${url}3`)).toMatchObject({ ok: true });
    expect(await fetcher.fetch(`${url}4`)).toEqual({ ok: false, reason: 'too_many_redirects' });
    const loop = await site(to('/again'));
    expect(await loop.fetcher.fetch(loop.url)).toEqual({ ok: false, reason: 'too_many_redirects' });
  });
});

describe('limits of a fetch', () => {
  test('refuses a body above the limit with and without a content length', async () => {
    const response = await site((_, answer) => answer.setHeader('content-length', 101).end('a'.repeat(101)), {
      bytesMax: 100,
    });
    expect(await response.fetcher.fetch(response.url)).toEqual({ ok: false, reason: 'too_large' });
    const endless: RequestListener = (_, answer) => {
      const more = () => void (answer.destroyed || answer.write('a'.repeat(1_000), () => setImmediate(more)));
      more();
    };
    const silent = await site(endless, { bytesMax: 100_000 });
    expect(await silent.fetcher.fetch(silent.url)).toEqual({ ok: false, reason: 'too_large' });
    const exact = await site((_, answer) => answer.end('a'.repeat(100)), { bytesMax: 100 });
    expect(await exact.fetcher.fetch(exact.url)).toMatchObject({ ok: true, bytes: 100 });
    expect(await exact.fetcher.fetch(exact.url, { bytesMax: 99 })).toEqual({ ok: false, reason: 'too_large' });
  });

  test('times out on slow bodies, silent servers and slow redirects', async () => {
    const drip: RequestListener = (_, answer) => {
      const timer = setInterval(() => answer.write('a'), 20);
      answer.on('close', () => clearInterval(timer));
    };
    const slowly: RequestListener = (_, answer) =>
      void setTimeout(() => answer.writeHead(302, { location: '/' }).end(), 90);
    for (const listener of [drip, () => undefined, slowly]) {
      const { fetcher, url } = await site(listener, { timeoutMs: 200 });
      const began = Date.now();
      expect(await fetcher.fetch(url)).toEqual({ ok: false, reason: 'timeout' });
      expect(Date.now() - began).toBeLessThan(10_000);
    }
  });

  test('refuses reads above the daily byte limit until the next day', async () => {
    let now = Date.UTC(2026, 0, 1, 12);
    const { fetcher, url } = await site((_, answer) => answer.end('a'.repeat(60)), {
      clock: { now: () => now },
      dailyBytesMax: 100,
    });
    expect(await fetcher.fetch(url)).toMatchObject({ ok: true });
    expect(await fetcher.fetch(url)).toEqual({ ok: false, reason: 'daily_limit' });
    now = Date.UTC(2026, 0, 2);
    expect(await fetcher.fetch(url)).toMatchObject({ ok: true });
  });

  test('limits the daily bytes of each account separately', async () => {
    let now = Date.UTC(2026, 0, 1, 12);
    const { fetcher, url } = await site((_, answer) => answer.end('a'.repeat(60)), {
      clock: { now: () => now },
      dailyBytesMax: 1_000,
      dailyBytesPerAccountMax: 100,
    });
    const read = async (account?: string) => fetcher.fetch(url, account === undefined ? {} : { account });
    expect(await read('greedy')).toMatchObject({ ok: true });
    for (let again = 0; again < 20; again += 1)
      expect(await read('greedy')).toEqual({ ok: false, reason: 'daily_limit' });
    expect(await read('modest')).toMatchObject({ ok: true });
    expect(await read()).toMatchObject({ ok: true });
    now = Date.UTC(2026, 0, 2);
    expect(await read('greedy')).toMatchObject({ ok: true });
  });

  test('limits concurrent fetches in total and to one per host', async () => {
    const running = new Map<string, number>();
    const most = { all: 0, host: 0 };
    const port = await serve((request, answer) => {
      const host = request.headers.host!;
      running.set(host, (running.get(host) ?? 0) + 1);
      most.host = Math.max(most.host, ...running.values());
      most.all = Math.max(
        most.all,
        [...running.values()].reduce((sum, count) => sum + count, 0),
      );
      setTimeout(() => {
        running.set(host, running.get(host)! - 1);
        answer.end(host);
      }, 20);
    });
    const hosts = ['a', 'b', 'c', 'd'].map(name => `${name}.test:${port}`);
    const made = fetcher({ allow: hosts, resolve: resolver(['127.0.0.1']).resolve, concurrency: 2 });
    const results = await Promise.all([...hosts, ...hosts, ...hosts].map(host => made.fetch(`http://${host}/`)));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(most).toEqual({ all: 2, host: 1 });
  });

  test('refuses a fetch as busy when the queue is full or the wait is too long', async () => {
    const held: (() => void)[] = [];
    const { fetcher, url } = await site((_, answer) => void held.push(() => answer.end()), {
      queueMax: 1,
      waitMs: 100,
    });
    const [first, second, third] = [fetcher.fetch(url), fetcher.fetch(url), fetcher.fetch(url)];
    expect(await third).toEqual({ ok: false, reason: 'busy' });
    expect(await second).toEqual({ ok: false, reason: 'busy' });
    held.forEach(end => end());
    expect(await first).toMatchObject({ ok: true });
  });

  test('limits the queue places of each host', async () => {
    const port = await serve((_, answer) => answer.destroy());
    const hosts = [`a.test:${port}`, `b.test:${port}`];
    const options = {
      allow: hosts,
      resolve: resolver(['127.0.0.1']).resolve,
      concurrency: 1,
      queueMax: 3,
      queuePerHostMax: 1,
    };
    const made = fetcher(options);
    const results = await Promise.all([0, 0, 0, 1].map(host => made.fetch(`http://${hosts[host]}/`)));
    expect(results.map(result => !result.ok && result.reason)).toEqual([
      'unreachable',
      'unreachable',
      'busy',
      'unreachable',
    ]);
  });

  test('closing ends running, queued and new fetches', async () => {
    const { fetcher, url } = await site(() => undefined);
    const results = [fetcher.fetch(url), fetcher.fetch(url)];
    await new Promise(resolve => setTimeout(resolve, 50));
    fetcher.close();
    for (const result of [...results, fetcher.fetch(url)])
      expect(await result).toEqual({ ok: false, reason: 'closed' });
  });
});
