import { afterEach, expect, test } from '@jest/globals';
import { PRIVATE_HOSTS } from './hostile-addresses.js';
import { closeAll, fetcher, resolver, site } from './site.js';

afterEach(closeAll);

const message = { body: '{"type":"test"}', headers: { 'content-type': 'application/json' }, timeoutMs: 5_000 };
/** For a receiver that does not answer. */
const hasty = { ...message, timeoutMs: 500 };

test('what is sent arrives, and the status of the answer is told, whatever it is', async () => {
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

test('a redirect is told and not followed', async () => {
  const asked: (string | undefined)[] = [];
  const { fetcher, url } = await site((request, answer) => {
    asked.push(request.url);
    answer.writeHead(302, { location: '/elsewhere' }).end();
  });
  expect(await fetcher.send(url, message)).toMatchObject({ ok: true, status: 302 });
  expect(asked).toEqual(['/']);
});

test.each(PRIVATE_HOSTS)('nothing is sent to an address that is not public: %s', async host => {
  expect(await fetcher({}).send(`https://${host}/`, message)).toEqual({ ok: false, reason: 'private_address' });
});

test('the address of a name is looked at when it is connected to, each time', async () => {
  const { resolve, asked } = resolver(['192.168.0.1']);
  const made = fetcher({ resolve });
  for (let count = 0; count < 2; count += 1)
    expect(await made.send('https://receiver.test/', message)).toEqual({ ok: false, reason: 'unresolvable' });
  expect(asked).toHaveLength(2);
});

test('a receiver that does not answer in time is left, and one whose headers never end too', async () => {
  const silent = await site(() => undefined);
  expect(await silent.fetcher.send(silent.url, hasty)).toEqual({ ok: false, reason: 'timeout' });
  const endless = await site((request, answer) => {
    const drip = setInterval(() => answer.writeProcessing(), 1);
    request.on('close', () => clearInterval(drip));
  });
  expect(await endless.fetcher.send(endless.url, hasty)).toMatchObject({ ok: false });
});

test('what stands below the head of an answer is not waited for', async () => {
  const { fetcher, url } = await site((_request, answer) => {
    answer.writeHead(200);
    answer.write('the first of very many bytes');
  });
  expect(await fetcher.send(url, message)).toMatchObject({ ok: true, status: 200 });
});

test('once it is closed nothing is sent any more', async () => {
  const { fetcher, url } = await site((_request, answer) => answer.end());
  fetcher.close();
  expect(await fetcher.send(url, message)).toEqual({ ok: false, reason: 'closed' });
});
