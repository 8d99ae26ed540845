import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { pinnedLookup } from '#libs/platform/safe-fetch/address.js';
import { selfSigned } from '../../certificate.js';
import { PRIVATE_V4, PRIVATE_V6 } from './hostile-addresses.js';
import { closeAll, fetcher, listen, resolver, sha256, site, serve } from './site.js';

const TLS = selfSigned('tls.test');

afterEach(closeAll);

describe('a successful fetch', () => {
  test('returns the digest of the body as received', async () => {
    const { fetcher, url } = await site((_, answer) => answer.setHeader('content-type', 'text/plain').end('bonjour'));
    const read = { ok: true, digest: sha256('bonjour'), bytes: 7, contentType: 'text/plain', url };
    expect(await fetcher.fetch(url)).toEqual(read);
    expect(await fetcher.fetch(url, { keepBytesMax: 7 })).toEqual({ ...read, body: Buffer.from('bonjour') });
    expect(await fetcher.fetch(url, { keepBytesMax: 6 })).toEqual(read);
  });

  test('returns a digest for an empty body', async () => {
    const { fetcher, url } = await site((_, answer) => answer.end());
    expect(await fetcher.fetch(url)).toMatchObject({ ok: true, digest: sha256(''), bytes: 0, contentType: null });
  });

  test('sends a user agent but no cookies or credentials', async () => {
    const seen: object[] = [];
    const { fetcher, url, host } = await site((request, answer) => {
      seen.push({ method: request.method, url: request.url, ...request.headers });
      answer.setHeader('set-cookie', 'a=b').end();
    });
    for (let time = 0; time < 2; time++) await fetcher.fetch(`${url}a?b=c#d`, { accept: 'text/html' });
    const headers = {
      host,
      accept: 'text/html',
      'accept-encoding': 'identity',
      'user-agent': expect.any(String),
      connection: expect.any(String),
    };
    expect(seen).toEqual(Array(2).fill({ method: 'GET', url: '/a?b=c', ...headers }));
  });

  test.each([204, 206, 304, 404, 500])('fails with status %s and names it', async status => {
    const { fetcher, url } = await site((_, answer) => answer.writeHead(status).end());
    expect(await fetcher.fetch(url)).toEqual({ ok: false, reason: 'status', status });
  });

  test('fails as unreachable for a response that is not HTTP and for a closed port', async () => {
    const port = await listen(
      createTcpServer(socket =>
        socket
          .on('error', () => undefined)
          .resume()
          .end('hello\r\n\r\n'),
      ),
    );
    const nonsense = `http://127.0.0.1:${port}/`;
    const options = { allow: [`127.0.0.1:${port}`] };
    expect(await fetcher(options).fetch(nonsense)).toEqual({ ok: false, reason: 'unreachable' });
    await closeAll();
    expect(await fetcher(options).fetch(nonsense)).toEqual({ ok: false, reason: 'unreachable' });
  });
});

describe('https', () => {
  const listenTls = () => listen(createTlsServer(TLS, (_, answer) => answer.end('secret')));

  test('accepts only certificates of a trusted authority', async () => {
    const port = await listenTls();
    const options = { allow: [`tls.test:${port}`], resolve: resolver(['127.0.0.1']).resolve };
    const url = `https://tls.test:${port}/`;
    expect(await fetcher(options).fetch(url)).toEqual({ ok: false, reason: 'unreachable' });
    expect(await fetcher({ ...options, ca: TLS.cert }).fetch(url)).toMatchObject({
      ok: true,
      digest: sha256('secret'),
    });
  });

  test('refuses a certificate for another name', async () => {
    const port = await listenTls();
    const options = { allow: [`other.test:${port}`], resolve: resolver(['127.0.0.1']).resolve, ca: TLS.cert };
    expect(await fetcher(options).fetch(`https://other.test:${port}/`)).toEqual({ ok: false, reason: 'unreachable' });
  });
});

describe('name resolution', () => {
  test.each([
    ['10.0.0.1'],
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:8.8.8.8'],
    ['8.8.8.8', '10.0.0.1'],
    ['no address'],
    [],
  ])('fails for a name without a public address: %s', async (...addresses) => {
    const { names, resolve } = resolver(addresses);
    expect(await fetcher({ resolve }).fetch('https://name.test/')).toEqual({ ok: false, reason: 'unresolvable' });
    expect(names).toEqual(['name.test']);
  });

  test.each([...PRIVATE_V4, ...PRIVATE_V6])(
    'fails for a name with one private address among public ones: %s',
    async address => {
      const { resolve } = resolver(['8.8.8.8', address, '2606:4700::1111']);
      expect(await fetcher({ resolve }).fetch('https://name.test/')).toEqual({ ok: false, reason: 'unresolvable' });
    },
  );

  test('refuses the names of the local machine', async () => {
    for (const host of ['localhost', 'localhost.', 'LOCALHOST'])
      expect(await fetcher({}).fetch(`https://${host}/`)).toEqual({ ok: false, reason: 'unresolvable' });
  });

  test('resolves a name once and connects to the checked address', async () => {
    const port = await serve((_, answer) => answer.end('once'));
    const { names, resolve } = resolver(['127.0.0.1'], ['127.0.0.2']);
    const result = await fetcher({ allow: [`rebind.test:${port}`], resolve }).fetch(`http://rebind.test:${port}/`);
    expect(result).toMatchObject({ ok: true, digest: sha256('once') });
    expect(names).toEqual(['rebind.test']);
  });

  test('returns the checked addresses from the pinned lookup for any name', () => {
    const answers: unknown[] = [];
    const lookup = pinnedLookup(['8.8.8.8', '2606:4700::1111']);
    lookup('other.test', { all: true }, (...answer) => answers.push(answer));
    lookup('other.test', {}, (...answer) => answers.push(answer));
    const [v4, v6] = [
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ];
    expect(answers).toEqual([
      [null, [v4, v6]],
      [null, '8.8.8.8', 4],
    ]);
  });

  test('name resolution times out when the name server does not respond', async () => {
    const made = fetcher({ resolve: () => new Promise(() => undefined), timeoutMs: 50 });
    expect(await made.fetch('https://name.test/')).toEqual({ ok: false, reason: 'timeout' });
  });
});
