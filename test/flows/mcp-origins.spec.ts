import { METHODS } from 'node:http';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { modernRequest, sendMcp } from '../mcp.js';
import { World } from '../world.js';
import { useWorld } from '../use-world.js';

/** A foreign page must not use `/mcp` through the browser of a user on the same machine. */
const world = useWorld();
let port: string;
beforeAll(async () => {
  ({ port } = new URL(world.url));
});

const [body, headers] = modernRequest('tools/list');
const list = (more: { readonly [name: string]: string }, path?: string) =>
  sendMcp(world.url, body, { ...headers, ...more }, path);

const REFUSED = { status: 403, body: { ok: false, code: 'foreign_origin', retryable: false } };

describe('at a local address', () => {
  test.each(['http://127.0.0.1', 'http://localhost', 'http://[::1]'])('a page of %s is allowed', async name => {
    const reply = await list({ origin: `${name}:${port}` });
    expect(reply).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': `${name}:${port}` } });
    expect(reply.headers['vary']).toMatch(/origin/i);
  });

  test.each([
    ['another host', () => 'https://evil.example'],
    ['another port of the same machine', () => 'http://localhost:1'],
    ['another scheme', () => `https://localhost:${port}`],
    ['the wildcard address', () => `http://0.0.0.0:${port}`],
    ['the wildcard address of IPv6', () => `http://[::]:${port}`],
    ['a name with an allowed prefix', () => `http://localhost:${port}.evil.example`],
    ['a page without an origin', () => 'null'],
    ['a malformed origin', () => 'localhost'],
  ])('%s is refused and cannot read the refusal', async (_what, origin) => {
    const reply = await list({ origin: origin() });
    expect(reply).toMatchObject(REFUSED);
    expect(reply.headers['access-control-allow-origin']).toBeUndefined();
  });

  test('a foreign name that resolves to this machine is refused (DNS rebinding)', async () => {
    expect(await list({ host: `evil.example:${port}` })).toMatchObject(REFUSED);
    expect(await list({ host: `0.0.0.0:${port}` })).toMatchObject(REFUSED);
    expect(await list({ host: `localhost:${port}` })).toMatchObject({ status: 200 });
  });

  test('unsupported methods are refused to foreign pages and names too', async () => {
    for (const method of METHODS.filter(each => !['CONNECT', 'POST', 'OPTIONS'].includes(each))) {
      const ask = (more: { readonly [name: string]: string }) => sendMcp(world.url, '', more, '/mcp?x=1', method);
      const foreign = await ask({ origin: 'https://evil.example' });
      const allowed = foreign.headers['access-control-allow-origin'];
      expect([method, foreign.status, allowed]).toEqual([method, 403, undefined]);
      expect([method, (await ask({ host: `evil.example:${port}` })).status]).toEqual([method, 403]);
      const own = await ask({ origin: `http://localhost:${port}` });
      expect([method, own.status, own.headers['allow']]).toEqual([method, 405, 'POST']);
    }
  });

  test('other spellings of the path are equally closed', async () => {
    const origin = 'https://evil.example';
    for (const path of ['/%6dcp', '/mcp?x=1', '/mcp;x']) {
      const { status, headers } = await list({ origin }, path);
      expect([path, [403, 404].includes(status), headers['access-control-allow-origin'] ?? null]).toEqual([
        path,
        true,
        status === 403 ? null : '*',
      ]);
    }
  });

  test('a program without an Origin header is allowed', async () => {
    expect(await list({})).toMatchObject({ status: 200, body: { result: { tools: expect.any(Array) as unknown } } });
  });

  test('a preflight succeeds for the origin of the service only', async () => {
    const ask = (origin: string) =>
      sendMcp(world.url, '', { origin, 'access-control-request-method': 'POST' }, '/mcp', 'OPTIONS');
    const own = `http://localhost:${port}`;
    const allowed = await ask(own);
    expect(allowed).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': own } });
    const names = String(allowed.headers['access-control-allow-headers']).split(', ');
    expect(names).toEqual(expect.arrayContaining(['authorization', 'mcp-protocol-version', 'mcp-method', 'mcp-name']));
    const foreign = await ask('https://evil.example');
    expect([foreign.status, foreign.headers['access-control-allow-origin']]).toEqual([403, undefined]);
  });

  test('every other path still allows every origin', async () => {
    const reply = await sendMcp(world.url, '', { origin: 'https://evil.example' }, '/api/roles', 'GET');
    expect(reply).toMatchObject({ status: 200, headers: { 'access-control-allow-origin': '*' } });
  });
});

test('at a public address only its own origin and host are allowed', async () => {
  const settings = { BASE_URL: 'https://jobs.example' };
  const open = await World.start({ settings });
  const ask = (more: { readonly [name: string]: string }) => sendMcp(open.url, body, { ...headers, ...more });
  try {
    const host = 'jobs.example';
    expect(await ask({ host, origin: 'https://jobs.example' })).toMatchObject({ status: 200 });
    expect(await ask({ host, origin: 'http://localhost:3000' })).toMatchObject(REFUSED);
    expect(await ask({ host: 'localhost' })).toMatchObject(REFUSED);
  } finally {
    await open.stop();
  }
});
