import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import Fastify, { type FastifyInstance } from 'fastify';
import { getDisconnectSignal } from '#libs/http/long-responses.js';
import { type InnerResponse, sendInnerRequest, type InnerRequest } from '#libs/http/inner-request.js';

let app: FastifyInstance;
let url: string;
let asked: InnerRequest;
beforeAll(async () => {
  app = Fastify({ trustProxy: (_address, hop) => hop < 1 });
  app.all('/outer', async request => sendInnerRequest(request, asked));
  app.all('/inner/:name', async ({ method, headers, ip, params, query, body }) => {
    const { authorization, host } = headers;
    return { method, authorization, host, ip, params, query, body: body ?? null, key: headers['idempotency-key'] };
  });
  app.get('/refused', async (_request, reply) => reply.code(409).header('retry-after', '1').send({ ok: false }));
  app.get('/text', async () => 'no JSON');
  app.get('/waits', async (_request, reply) => {
    const gone = getDisconnectSignal(reply);
    if (!gone.aborted) await once(gone, 'abort');
    return { left: true };
  });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(() => app.close());

async function within(inner: InnerRequest, headers: { readonly [name: string]: string } = {}): Promise<InnerResponse> {
  asked = inner;
  return (await (await fetch(`${url}/outer`, { headers })).json()) as InnerResponse;
}

const FROM = { authorization: 'Bearer of-the-caller', 'x-forwarded-for': '203.0.113.7' };

test('uses the credential and the address of the outer request', async () => {
  const read = { method: 'GET', path: '/inner/a%2Fb', query: { limit: '2' } } as const;
  const { status, body } = await within(read, FROM);
  const host = new URL(url).host;
  const caller = { authorization: FROM.authorization, host, ip: '203.0.113.7' };
  expect({ status, body }).toEqual({
    status: 200,
    body: { method: 'GET', ...caller, params: { name: 'a/b' }, query: { limit: '2' }, body: null },
  });
  expect((await within(read)).body).toMatchObject({ ip: '127.0.0.1' });
});

test("sends fields as JSON and prefers its own headers to the caller's", async () => {
  const headers = { authorization: 'Bearer another', 'idempotency-key': 'k'.repeat(22) };
  const { body } = await within({ method: 'POST', path: '/inner/x', fields: { text: 'é' }, headers }, FROM);
  expect(body).toMatchObject({ method: 'POST', authorization: 'Bearer another', body: { text: 'é' } });
  expect(body).toMatchObject({ key: headers['idempotency-key'] });
});

test('returns a refusal unchanged and a body that is not JSON as empty', async () => {
  expect(await within({ method: 'GET', path: '/refused' })).toMatchObject({
    status: 409,
    body: { ok: false },
    headers: { 'retry-after': '1' },
  });
  expect(await within({ method: 'GET', path: '/text' })).toMatchObject({ status: 200, body: {} });
});

test('aborts the inner request when the caller disconnects or has left', async () => {
  for (const signal of [AbortSignal.timeout(50), AbortSignal.abort()])
    expect((await within({ method: 'GET', path: '/waits', signal })).body).toEqual({ left: true });
});
