import { expect, test } from '@jest/globals';
import { ConnectionLost, NetworkReader } from '#libs/client/index.js';
import { FakeTime, keyed, MUSE, NOW, tokened } from './fixtures.js';
import { against, ok, refused, type ScriptedService, type Step } from './scripted-service.js';

const MINUTE_MS = 60_000;

/** The first wait outlasts a signature. */
const slow = () => ({
  ...new FakeTime().options,
  retry: { totalMs: 20 * MINUTE_MS, backoffMs: 5 * MINUTE_MS, backoffMaxMs: 5 * MINUTE_MS },
});

/** Parts that must be equal in a repeated request. */
const sent = (service: ScriptedService) =>
  service.seen.map(({ text, headers }) => `${text} ${String(headers['idempotency-key'])}`);

test.each<[string, Step, number]>([
  ['whose response was lost', 'lost', 250],
  ['whose response is not JSON', { status: 502, text: '<html>bad gateway</html>' }, 250],
  ['while the service is unavailable', refused(503, 'unavailable', {}, { 'retry-after': '2' }), 2_000],
  ['that is in progress', refused(409, 'in_progress', {}, { 'retry-after': '1' }), 1_000],
  ['whose payment is pending', refused(409, 'settlement_pending', {}, { 'retry-after': '3' }), 3_000],
  ['whose payment status is unknown', refused(409, 'settlement_unknown', {}, { 'retry-after': '3' }), 3_000],
  ['that was rate limited', refused(429, 'rate_limited', {}, { 'retry-after': '4' }), 4_000],
])('repeats the same signed bytes for a request %s', (_case, step, waitMs) =>
  against([step, ok({ hire: 5 })], async service => {
    const time = new FakeTime();
    expect(await keyed(service, time.options).hire({ role: 'job-1', to: MUSE })).toMatchObject({ hire: 5 });
    expect(time.waits).toEqual([waitMs]);
    expect(new Set(sent(service)).size).toBe(1);
  }),
);

test.each(['nonce_used', 'role_closed', 'idempotency_conflict', 'payment_used'])('does not repeat a 409 %s', code =>
  against([refused(409, code, {}, { 'retry-after': '1' })], async service => {
    await expect(keyed(service).hire({ role: 'job-1', to: MUSE })).rejects.toMatchObject({ code });
  }),
);

test('does not wait longer than the operation may take', () =>
  against([refused(429, 'rate_limited', {}, { 'retry-after': '3600' })], async service => {
    const time = new FakeTime();
    await expect(keyed(service, time.options).hire({ role: 'job-1', to: MUSE })).rejects.toMatchObject({ status: 429 });
    expect(time.waits).toEqual([]);
  }));

test('limits the attempts, increases the waits, and can resume afterwards', () =>
  against(['lost', 'lost', 'lost', ok({ hire: 5 })], async service => {
    const time = new FakeTime();
    const failure = await keyed(service, { ...time.options, retry: { attemptsMax: 3 } })
      .hire({ role: 'job-1', to: MUSE })
      .catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ConnectionLost);
    expect(time.waits).toEqual([250, 500]);
    expect(await (failure as ConnectionLost).resume!()).toMatchObject({ hire: 5 });
    expect(new Set(sent(service)).size).toBe(1);
  }));

test('signs an old request again with the same nonce, so that it runs once', () =>
  against(['lost', ok()], async service => {
    await keyed(service, slow()).hire({ role: 'job-1', to: MUSE });
    const [first, second] = service.seen.map(({ body }) => body);
    expect(second!['timestamp']).toBe(String(NOW + 5 * MINUTE_MS));
    expect(second!['nonce']).toBe(first!['nonce']);
    expect(second!['signature']).not.toBe(first!['signature']);
  }));

test('signs an old query again with a new nonce', () =>
  against(['lost', ok()], async service => {
    await keyed(service, slow()).inbox();
    const [first, second] = service.seen;
    expect(second!.body['nonce']).not.toBe(first!.body['nonce']);
    expect(second!.headers['idempotency-key']).toBe(first!.headers['idempotency-key']);
  }));

test('corrects a wrong clock by the service time, and keeps the correction', () => {
  const serverTime = NOW + 60 * MINUTE_MS;
  const tooOld = refused(401, 'timestamp_out_of_window', { server_time: serverTime });
  return against([tooOld, ok(), ok()], async service => {
    const agent = keyed(service);
    await agent.hire({ role: 'job-1', to: MUSE });
    await agent.hire({ role: 'job-1', to: MUSE });
    expect(service.seen.map(({ body }) => body['timestamp'])).toEqual([NOW, serverTime, serverTime].map(String));
    expect(service.seen[1]!.body['nonce']).toBe(service.seen[0]!.body['nonce']);
  });
});

test('corrects the clock once per operation', () => {
  const tooOld = refused(401, 'timestamp_out_of_window', { server_time: NOW + MINUTE_MS });
  return against([tooOld, tooOld], async service => {
    await expect(keyed(service).hire({ role: 'job-1', to: MUSE })).rejects.toMatchObject({
      code: 'timestamp_out_of_window',
    });
  });
});

test('repeats a bearer write under its idempotency key', () =>
  against(['lost', 'lost', ok()], async service => {
    await tokened(service).hire({ role: 'job-1', to: MUSE });
    expect(new Set(sent(service)).size).toBe(1);
  }));

test.each([keyed, tokened])('repeats a query unchanged if its response was lost', client =>
  against(['lost', ok({ items: [] })], async service => {
    await client(service).inbox();
    expect(service.seen[0]!.headers['idempotency-key']).toBeDefined();
    expect(new Set(sent(service)).size).toBe(1);
  }),
);

test('repeats a read until its position is visible', () =>
  against([refused(503, 'not_yet_visible', {}, { 'retry-after': '1' }), ok({ roles: [] })], async service => {
    const time = new FakeTime();
    expect(await new NetworkReader(service.url, time.options).roles()).toMatchObject({ roles: [] });
    expect(time.waits).toEqual([1_000]);
  }));

test('does not repeat a read that the service calls not retryable', () =>
  against([refused(503, 'projection_stopped', { retryable: false })], async service => {
    const time = new FakeTime();
    const roles = new NetworkReader(service.url, time.options).roles();
    await expect(roles).rejects.toMatchObject({ status: 503, code: 'projection_stopped' });
    expect(time.waits).toEqual([]);
  }));

test('does not follow a redirect, so signed bytes stay with the host', () =>
  against([{ status: 302, text: '', headers: { location: 'http://127.0.0.1:1/' } }], async service => {
    const hire = keyed(service).hire({ role: 'job-1', to: MUSE });
    await expect(hire).rejects.toMatchObject({ name: 'ApiError', status: 302, code: 'http_302' });
  }));

test('treats a response that times out as lost', () =>
  against([], async service => {
    const hanging: typeof fetch = (_url, init) =>
      new Promise((_resolve, reject) => init!.signal!.addEventListener('abort', () => reject(new Error('aborted'))));
    const options = { fetch: hanging, requestTimeoutMs: 20, retry: { attemptsMax: 1 } };
    await expect(tokened(service, options).hire({ role: 'job-1', to: MUSE })).rejects.toBeInstanceOf(ConnectionLost);
  }));
