import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type HeaderFields, quickstart, RawAgent, send } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

const world = useSharedWorld();
let agent: RawAgent;
let token: HeaderFields;
beforeAll(async () => {
  agent = await world.raw('asker');
  ({ headers: token } = await quickstart(world.url, { name: 'bearer', kind: 'editor' }));
});

const post = (path: string, body: unknown, headers: HeaderFields = {}) => send(world.url, path, { body, headers });

describe('the body of a request', () => {
  test('rejects another content type', async () => {
    const refused = await post('/api/whoami', 'kind=editor', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(refused).toMatchObject({ status: 415, body: { code: 'content_type' } });
  });

  test('rejects a compressed body and names the accepted encodings', async () => {
    const refused = await post('/api/whoami', gzipSync('{}'), { ...token, 'content-encoding': 'gzip' });
    expect(refused).toMatchObject({ status: 415, body: { code: 'content_type' } });
    expect(refused.headers.get('accept-encoding')).toBe('identity');
    expect(await post('/api/whoami', '{}', { ...token, 'content-encoding': 'identity' })).toMatchObject({
      status: 200,
    });
  });

  test('rejects more than 64 KiB', async () => {
    const refused = await post('/api/whoami', { title: 'a'.repeat(64 * 1024) });
    expect(refused).toMatchObject({ status: 413, body: { code: 'body_too_large' } });
  });

  test('keeps the connection of a caller still sending a rejected body', async () => {
    const { port, hostname } = new URL(world.url);
    const socket = connect(Number(port), hostname);
    const answer = once(socket, 'data');
    socket.write('POST /api/whoami HTTP/1.1\r\nhost: a\r\ncontent-length: 1000000\r\n\r\n');
    expect(String(await answer)).toMatch(/^HTTP\/1.1 413 /);
    socket.write('a'.repeat(1_000_000));
    socket.write('GET /api/health/live HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n');
    const next = await once(socket, 'data');
    expect(String(next)).toMatch(/^HTTP\/1.1 200 /);
    socket.destroy();
  });

  test('an empty body counts as {} with any content type', async () => {
    for (const type of ['text/plain', 'multipart/form-data', 'no type', '///', '']) {
      const empty = await post('/api/whoami', '', { ...token, 'content-type': type });
      expect([type, empty]).toMatchObject([type, { status: 200, body: { ok: true, name: 'bearer' } }]);
      const full = await post('/api/whoami', '{}', { ...token, 'content-type': type });
      expect([type, full]).toMatchObject([type, { status: 415, body: { code: 'content_type' } }]);
    }
  });

  test('a request without a body and content type counts as {} too', async () => {
    const response = await fetch(`${world.url}/api/whoami`, { method: 'POST', headers: token });
    expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ auth: 'bearer' })]);
  });

  test.each(['Title', 'a b', 'note:5:hello', '1st', 'ünder', `a${'b'.repeat(64)}`])(
    'rejects a field called %j in every mode',
    async name => {
      const refused = { status: 400, body: { code: 'field_name' } };
      expect(await post('/api/whoami', { ...agent.signed('whoami'), [name]: 'x' })).toMatchObject(refused);
      expect(await post('/api/whoami', { [name]: 'x' }, token)).toMatchObject(refused);
      expect(await post('/api/quickstart', { kind: 'editor', [name]: 'x' })).toMatchObject(refused);
    },
  );
});
