import { createServer, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { SafeFetchOptions } from '#libs/platform/safe-fetch/safe-fetch.js';
import { closeAll, fetcher, listen, sha256 } from './site.js';

afterEach(closeAll);

const OK = 'HTTP/1.1 200 OK\r\n';
const ENDLESS = { timeoutMs: 10_000, bytesMax: 100_000 };

/** Reads from a server that writes raw bytes, so that the response can violate HTTP. */
async function readFrom(talk: (socket: Socket) => void, options: SafeFetchOptions = {}) {
  const sockets: Socket[] = [];
  const server = createServer(socket => {
    sockets.push(socket);
    socket.on('error', () => undefined).once('data', () => talk(socket));
  });
  const host = `127.0.0.1:${await listen(server)}`;
  const read = await fetcher({ allow: [host], ...options }).fetch(`http://${host}/`, { keepBytesMax: 1_000 });
  const written = sockets.reduce((sum, socket) => sum + socket.bytesWritten, 0);
  for (const socket of sockets) socket.destroy();
  return { read, written };
}

const saying = (text: string | Buffer) => (socket: Socket) => void socket.end(text);

/** Writes `start` once and then `again` until the client disconnects. */
const endlessly = (start: string, again: string) => (socket: Socket) => {
  socket.write(start);
  const more = () => void (socket.destroyed || socket.write(again, () => setImmediate(more)));
  more();
};

describe('a wrong length', () => {
  test.each([
    ['a body shorter than its length', `${OK}content-length: 10\r\n\r\nshort`],
    ['an incomplete chunk', `${OK}transfer-encoding: chunked\r\n\r\n10\r\nshort`],
    ['chunks without an end', `${OK}transfer-encoding: chunked\r\n\r\n5\r\nshort\r\n`],
    ['a chunk with a size that is not a number', `${OK}transfer-encoding: chunked\r\n\r\nzz\r\nshort\r\n0\r\n\r\n`],
    ['a length and chunks', `${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n5\r\nshort\r\n0\r\n\r\n`],
    ['two lengths', `${OK}content-length: 5\r\ncontent-length: 6\r\n\r\nshort!`],
    ['a negative length', `${OK}content-length: -5\r\n\r\nshort`],
    ['a length that is not a number', `${OK}content-length: five\r\n\r\nshort`],
    ['a length beyond 64 bits', `${OK}content-length: 99999999999999999999999\r\n\r\nshort`],
  ])('fails the fetch: %s', async (_, text) => {
    expect((await readFrom(saying(text))).read).toEqual({ ok: false, reason: 'unreachable' });
  });

  test('reads only the stated length of a longer body', async () => {
    const { read } = await readFrom(saying(`${OK}content-length: 5\r\n\r\nshort${'and more'.repeat(10)}`));
    expect(read).toMatchObject({ ok: true, digest: sha256('short'), bytes: 5 });
  });

  test('reads a body without a length until the connection closes', async () => {
    const { read } = await readFrom(saying(`${OK}\r\nshort`));
    expect(read).toMatchObject({ ok: true, digest: sha256('short'), bytes: 5 });
  });
});

describe('a compressed body', () => {
  const bomb = gzipSync(Buffer.alloc(1_000_000));

  test.each(['gzip', 'br', 'deflate', 'gzip, gzip'])('is read without decompression: %s', async encoding => {
    const head = Buffer.from(`${OK}content-encoding: ${encoding}\r\ncontent-length: ${bomb.length}\r\n\r\n`);
    const { read } = await readFrom(saying(Buffer.concat([head, bomb])), { bytesMax: bomb.length });
    expect(read).toMatchObject({ ok: true, digest: sha256(bomb), bytes: bomb.length });
  });
});

describe('an endless response', () => {
  test.each([
    ['headers', endlessly(OK, 'x-more: and more\r\n'), 'unreachable'],
    ['a header', endlessly(`${OK}x-long: `, 'a'.repeat(1_000)), 'unreachable'],
    ['a status line', endlessly('HTTP/1.1 200 ', 'a'.repeat(1_000)), 'too_large'],
    ['a body', endlessly(`${OK}\r\n`, 'a'.repeat(1_000)), 'too_large'],
    ['chunks', endlessly(`${OK}transfer-encoding: chunked\r\n\r\n`, '1\r\na\r\n'.repeat(1_000)), 'too_large'],
    ['trailers', endlessly(`${OK}transfer-encoding: chunked\r\n\r\n0\r\n`, 'x-more: and more\r\n'), 'unreachable'],
    ['early hints', endlessly('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), 'too_large'],
    ['a chunk extension', endlessly(`${OK}transfer-encoding: chunked\r\n\r\n5;x=`, 'a'.repeat(1_000)), 'too_large'],
  ])('is aborted: %s', async (_, talk, reason) => {
    const { read, written } = await readFrom(talk, ENDLESS);
    expect(read).toEqual({ ok: false, reason });
    expect(written).toBeLessThan(10_000_000);
  });

  test('is not read when it is the body of a redirect', async () => {
    const talk = endlessly('HTTP/1.1 302 Found\r\nlocation: https://10.0.0.1/\r\n\r\n', 'a'.repeat(1_000));
    const { read, written } = await readFrom(talk, ENDLESS);
    expect(read).toEqual({ ok: false, reason: 'private_address' });
    expect(written).toBeLessThan(10_000_000);
  });
});
