import { afterEach, expect, test } from '@jest/globals';
import { PRIVATE_HOSTS } from './hostile-addresses.js';
import { closeAll, fetcher, resolver, site } from './site.js';

afterEach(closeAll);

const message = { body: '{"type":"test"}', headers: { 'content-type': 'application/json' }, timeoutMs: 5_000 };
const hasty = { ...message, timeoutMs: 500 };

test('delivers a message and returns the status of the response', async () => {
  const seen: unknown[] = [];
  const { fetcher, url } = await site((request, answer) => {
    let text = '';
    request.on('data', chunk => (text += String(chunk)));
    request.on('end', () => {
      seen.push([request.method, request.headers['content-type'], text]);
      answer.writeHead(429, { 'retry-after': '7' }).end('no');
    });
  });
  expect(await fetcher.send(url, message)).toEqual({ ok: true, status: 429, retryAfter: '7' });
  expect(seen).toEqual([['POST', 'application/json', message.body]]);
});

test('does not follow a redirect', async () => {
  const urls: (string | undefined)[] = [];
  const { fetcher, url } = await site((request, answer) => {
    urls.push(request.url);
    answer.writeHead(302, { location: '/elsewhere' }).end();
  });
  expect(await fetcher.send(url, message)).toMatchObject({ ok: true, status: 302 });
  expect(urls).toEqual(['/']);
});

test.each(PRIVATE_HOSTS)('sends nothing to the private address %s', async host => {
  expect(await fetcher({}).send(`https://${host}/`, message)).toEqual({ ok: false, reason: 'private_address' });
});

test('resolves the name again for each message', async () => {
  const { resolve, names } = resolver(['192.168.0.1']);
  const made = fetcher({ resolve });
  for (let count = 0; count < 2; count += 1)
    expect(await made.send('https://receiver.test/', message)).toEqual({ ok: false, reason: 'unresolvable' });
  expect(names).toHaveLength(2);
});

test('times out for a receiver that is silent or sends endless headers', async () => {
  const silent = await site(() => undefined);
  expect(await silent.fetcher.send(silent.url, hasty)).toEqual({ ok: false, reason: 'timeout' });
  const endless = await site((request, answer) => {
    const drip = setInterval(() => answer.writeProcessing(), 1);
    request.on('close', () => clearInterval(drip));
  });
  expect(await endless.fetcher.send(endless.url, hasty)).toMatchObject({ ok: false });
});

test('does not wait for the body of a response', async () => {
  const { fetcher, url } = await site((_request, answer) => {
    answer.writeHead(200);
    answer.write('the first of very many bytes');
  });
  expect(await fetcher.send(url, message)).toMatchObject({ ok: true, status: 200 });
});

test('sends nothing after it is closed', async () => {
  const { fetcher, url } = await site((_request, answer) => answer.end());
  fetcher.close();
  expect(await fetcher.send(url, message)).toEqual({ ok: false, reason: 'closed' });
});
