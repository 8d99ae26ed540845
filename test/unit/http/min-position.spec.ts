import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { fastify, type FastifyInstance } from 'fastify';
import { isBeyondEnd } from '#libs/event-log/require-position.js';
import { OutageTracker } from '#libs/platform/outages/outage-tracker.js';
import type { HttpRequest } from '#libs/http/http-request.js';
import type { WritePipeline } from '#libs/http/write-pipeline.js';
import type { RouteSettings } from '#libs/http/routes.js';
import { benches, seen } from '../documents/bench.js';
import { addServiceHooks } from './hooked-app.js';

/** Less than the time that a read waits for its position. */
const AT_ONCE_MS = 1_900;
const bench = benches();
let app: FastifyInstance | undefined;
afterEach(() => app?.close());

/** Serves a read and a write over two projections; `poison` stops the second one. */
async function service(isAlone = false) {
  const stores = bench();
  const models = await stores.project([seen('well'), seen('poisoned', 'poison')]);
  const say = async (word: string) => {
    await stores.say(word);
    return stores.log.head();
  };
  const saved = async () => ({ body: {}, position: await say('a word'), headers: {} });
  const begin = async ({ headers }: { readonly headers: object }) =>
    'x-repeated' in headers ? { ...started, saved: await saved() } : started;
  const started = { ignored: [], locks: [], context: { actor: 'agent_writer' } } as unknown as HttpRequest;
  app = fastify({ trustProxy: true });
  await addServiceHooks(app, {
    isAlone,
    models,
    isBeyondEnd: position => isBeyondEnd(stores.log, position),
    outages: new OutageTracker(app.log),
    pipeline: { begin } as unknown as WritePipeline,
  });
  app.get('/read', { config: { read: { path: '/read', describe: {} } } as RouteSettings }, async () => ({}));
  app.post('/write', { config: { write: {} } as RouteSettings }, async () => ({
    body: {},
    position: await say('poison'),
  }));
  const position = () => stores.log.head();
  app.post('/whoami', { config: { write: { isRead: true } } as RouteSettings }, async () => ({
    body: {},
    position: await position(),
  }));
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  const read = (position?: string) =>
    ask(`${url}/read`, { headers: position === undefined ? {} : { 'min-position': position } });
  const readFrom = (address: string) => ask(`${url}/read`, { headers: { 'x-forwarded-for': address } });
  const whoamiFrom = (address: string) =>
    ask(`${url}/whoami`, { method: 'POST', headers: { 'x-forwarded-for': address } });
  const reach = models.waitForPosition.bind(models);
  const waits: boolean[] = [];
  models.waitForPosition = async (...args) => {
    const reached = await reach(...args);
    waits.push(reached);
    return reached;
  };
  const write = () => ask(`${url}/write`, { method: 'POST' });
  const repeat = () => ask(`${url}/write`, { method: 'POST', headers: { 'x-repeated': 'yes' } });
  return { models, say, read, readFrom, whoamiFrom, waits, write, repeat };
}

async function ask(url: string, request: RequestInit) {
  const began = Date.now();
  const answer = await fetch(url, request);
  return { status: answer.status, body: (await answer.json()) as object, ms: Date.now() - began };
}

describe('a read with min-position', () => {
  test('is refused at once if the log does not reach the position', async () => {
    const { read, say } = await service();
    const position = await say('a word');
    const { status, body, ms } = await read(`9${position.slice(1)}`);
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'min_position', retryable: false } });
    expect(ms).toBeLessThan(AT_ONCE_MS);
  });

  test('fails with not_yet_visible if the documents do not reach it in time', async () => {
    const { models, read, say } = await service();
    jest.spyOn(models, 'waitForPosition').mockResolvedValue(false);
    const body = { code: 'not_yet_visible', retryable: true, retry_after: 1 };
    expect(await read(await say('a word'))).toMatchObject({ status: 503, body });
  });

  test('returns once every running projection has reached the position', async () => {
    const { read, say } = await service();
    expect(await read(await say('a word'))).toMatchObject({ status: 200, body: { ok: true } });
  });

  test('fails at once for a position after the stop of a projection', async () => {
    const { models, read, say } = await service();
    const before = await say('a word');
    await models.waitForHead();
    const position = await say('poison');
    await models.waitForHead();
    const { status, body, ms } = await read(position);
    expect(status).toBe(503);
    expect(body).toMatchObject({
      code: 'projection_stopped',
      retryable: true,
      retry_after: 30,
      hint: expect.any(String),
    });
    expect(body).toMatchObject({ error: 'The read model "poisoned" has stopped before min-position.' });
    expect(ms).toBeLessThan(AT_ONCE_MS);
    expect(await read()).toMatchObject({ status: 200 });
    expect(await read(before)).toMatchObject({ status: 200 });
  });
});

test('a write does not wait for a stopped projection', async () => {
  const { models, say, waits, write } = await service();
  await say('poison');
  await models.waitForHead();
  expect(await write()).toMatchObject({ status: 200 });
  expect(waits.slice(1)).toEqual([true]);
});

test('a late write to one of several processes delays the next read too', async () => {
  const { models, write, read } = await service();
  jest.spyOn(models, 'hasSeen').mockReturnValue(false);
  const reach = jest.spyOn(models, 'waitForPosition').mockResolvedValue(false);
  await write();
  await read();
  await read();
  expect(reach.mock.calls).toEqual(Array.from({ length: 2 }, () => [expect.any(String), 300]));
});

describe('a write to a process that is alone', () => {
  const OTHER = '192.0.2.7';
  const lateService = async () => {
    const late = await service(true);
    jest.spyOn(late.models, 'hasSeen').mockReturnValue(false);
    return late;
  };

  test('does not wait, and the next read of its address does', async () => {
    const { waits, write, read, readFrom } = await lateService();
    expect(await write()).toMatchObject({ status: 200 });
    expect(waits).toEqual([]);
    expect(await readFrom(OTHER)).toMatchObject({ status: 200 });
    expect(waits).toEqual([]);
    expect(await read()).toMatchObject({ status: 200 });
    expect(waits).toEqual([true]);
    await read();
    expect(waits).toEqual([true]);
  });

  test('that was answered before makes the next read wait for its event again', async () => {
    const { waits, repeat, read } = await lateService();
    expect(await repeat()).toMatchObject({ status: 200 });
    expect(waits).toEqual([]);
    await read();
    expect(waits).toEqual([true]);
  });

  test('delays a private read of its muse from another address', async () => {
    const { waits, write, whoamiFrom } = await lateService();
    await write();
    expect(await whoamiFrom(OTHER)).toMatchObject({ status: 200 });
    expect(waits).toEqual([true]);
  });

  test('delays one read by 0.3 s if the documents are late', async () => {
    const { models, write, read } = await lateService();
    const reach = jest.spyOn(models, 'waitForPosition').mockResolvedValue(false);
    await write();
    expect(await read()).toMatchObject({ status: 200 });
    expect(await read()).toMatchObject({ status: 200 });
    expect(reach.mock.calls).toEqual([[expect.any(String), 300]]);
  });
});
