import { createServer as createTlsServer } from 'node:https';
import { createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import { pinnedLookup } from '#libs/platform/safe-fetch/address-resolver.js';
import { selfSigned } from './certificate.js';
import { PRIVATE_V4, PRIVATE_V6 } from './hostile-addresses.js';
import { closeAll, fetcher, listen, resolver, sha256, site, serve } from './site.js';

const TLS = selfSigned('tls.test');

afterEach(closeAll);

describe('what is read', () => {
  test('the digest is over the body as it was received', async () => {
    const { fetcher, url } = await site((_, answer) => answer.setHeader('content-type', 'text/plain').end('bonjour'));
    const read = { ok: true, digest: sha256('bonjour'), bytes: 7, contentType: 'text/plain', url };
    expect(await fetcher.fetch(url)).toEqual(read);
    expect(await fetcher.fetch(url, { keepBytesMax: 7 })).toEqual({ ...read, body: Buffer.from('bonjour') });
    expect(await fetcher.fetch(url, { keepBytesMax: 6 })).toEqual(read);
  });

  test('an empty body has a digest too', async () => {
    const { fetcher, url } = await site((_, answer) => answer.end());
    expect(await fetcher.fetch(url)).toMatchObject({ ok: true, digest: sha256(''), bytes: 0, contentType: null });
  });

  test('a compressed body is hashed as it is and never unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(1_000_000));
    const { fetcher, url } = await site((_, answer) => answer.setHeader('content-encoding', 'gzip').end(bomb), {
      bytesMax: 10_000,
    });
    expect(await fetcher.fetch(url)).toMatchObject({ digest: sha256(bomb), bytes: bomb.length });
  });

  test('a request says who asks and carries nothing of anybody', async () => {
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

  test.each([204, 206, 304, 404, 500])('a status of %s is a failure that names it', async status => {
    const { fetcher, url } = await site((_, answer) => answer.writeHead(status).end());
    expect(await fetcher.fetch(url)).toEqual({ ok: false, reason: 'status', status });
  });

  test('an answer that is no HTTP is unreachable, and so is a closed port', async () => {
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

  test('a certificate that nobody vouches for is unreachable, one that is known is read', async () => {
    const port = await listenTls();
    const options = { allow: [`tls.test:${port}`], resolve: resolver(['127.0.0.1']).resolve };
    const url = `https://tls.test:${port}/`;
    expect(await fetcher(options).fetch(url)).toEqual({ ok: false, reason: 'unreachable' });
    expect(await fetcher({ ...options, ca: TLS.cert }).fetch(url)).toMatchObject({
      ok: true,
      digest: sha256('secret'),
    });
  });

  test('a certificate for another name is unreachable', async () => {
    const port = await listenTls();
    const options = { allow: [`other.test:${port}`], resolve: resolver(['127.0.0.1']).resolve, ca: TLS.cert };
    expect(await fetcher(options).fetch(`https://other.test:${port}/`)).toEqual({ ok: false, reason: 'unreachable' });
  });
});

describe('names', () => {
  test.each([
    ['10.0.0.1'],
    ['127.0.0.1'],
    ['169.254.169.254'],
    ['::1'],
    ['::ffff:8.8.8.8'],
    ['8.8.8.8', '10.0.0.1'],
    ['no address'],
    [],
  ])(
    'a name without a public address is unresolvable, whether it has a private one or none: %s',
    async (...addresses) => {
      const { asked, resolve } = resolver(addresses);
      expect(await fetcher({ resolve }).fetch('https://name.test/')).toEqual({ ok: false, reason: 'unresolvable' });
      expect(asked).toEqual(['name.test']);
    },
  );

  test.each([...PRIVATE_V4, ...PRIVATE_V6])(
    'a name is refused for one such address among public ones: %s',
    async found => {
      const { resolve } = resolver(['8.8.8.8', found, '2606:4700::1111']);
      expect(await fetcher({ resolve }).fetch('https://name.test/')).toEqual({ ok: false, reason: 'unresolvable' });
    },
  );

  test('the machine itself has no name that a stranger could use', async () => {
    for (const host of ['localhost', 'localhost.', 'LOCALHOST'])
      expect(await fetcher({}).fetch(`https://${host}/`)).toEqual({ ok: false, reason: 'unresolvable' });
  });

  test('a name is resolved once and the connection goes to what was checked', async () => {
    const port = await serve((_, answer) => answer.end('once'));
    const { asked, resolve } = resolver(['127.0.0.1'], ['127.0.0.2']);
    const result = await fetcher({ allow: [`rebind.test:${port}`], resolve }).fetch(`http://rebind.test:${port}/`);
    expect(result).toMatchObject({ ok: true, digest: sha256('once') });
    expect(asked).toEqual(['rebind.test']);
  });

  test('a pinned look-up answers the checked addresses whatever is asked', () => {
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

  test('a name server that never answers ends with the time', async () => {
    const made = fetcher({ resolve: () => new Promise(() => undefined), timeoutMs: 50 });
    expect(await made.fetch('https://name.test/')).toEqual({ ok: false, reason: 'timeout' });
  });
});
