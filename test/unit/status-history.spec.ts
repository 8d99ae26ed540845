import { beforeEach, expect, test } from '@jest/globals';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { HealthReport } from '#libs/features/stats/health-report.js';
import { StatusHistory } from '#libs/features/stats/status-history.js';
import { RequestMeter } from '#libs/http/request-meter.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';

const START = 1_800_000_000_000;
const HEALTHY = {
  status: 'ok',
  event_log: { reachable: true },
  documents: { reachable: true },
  projections: [{ name: 'muses', position: '1', lag: 3, state: 'running' }],
  reactions: [],
  payments: { open: 2, rails: [] },
  webhooks: { waiting: 4, failing: 1 },
};
const STOPPED = {
  ...HEALTHY,
  status: 'degraded',
  projections: [{ name: 'muses', position: '1', lag: 9, state: 'stopped', reason: 'disk full' }],
};

let now: number;
let health: typeof HEALTHY;
let meter: RequestMeter;
let history: StatusHistory;
beforeEach(() => {
  [now, health, meter] = [START, HEALTHY, new RequestMeter()];
  const report = { make: () => Promise.resolve({ status: 200, body: health }) };
  history = new StatusHistory(report as unknown as HealthReport, meter, { now: () => now });
});

const read = { settings: { read: {} }, headers: {} };
const answer = (elapsedTime: number, statusCode = 200, request: object = read) =>
  meter.count(request as FastifyRequest, { statusCode, elapsedTime } as FastifyReply);

async function sampleAfter(ms: number): Promise<void> {
  now += ms;
  await history.sample();
}

test('a sample has the requests of a minute, their times, and the numbers of health', async () => {
  await history.sample();
  for (let count = 1; count <= 20; count += 1) answer(count <= 18 ? 4 : 150);
  answer(2, 503);
  await sampleAfter(MINUTE_MS / 2);
  expect(history.read(health).samples).toEqual([
    expect.objectContaining({ at: START, requests: null, failed: null, medianMs: null, slowMs: null }),
    {
      at: START + MINUTE_MS / 2,
      requests: 42,
      failed: 2,
      medianMs: 5,
      slowMs: 200,
      lag: 3,
      openPayments: 2,
      webhooksWaiting: 4,
      webhooksFailing: 1,
    },
    expect.objectContaining({ requests: 42, failed: 2, medianMs: null, lag: 3 }),
  ]);
});

test('a first sample between two chores does not change the rate', () => {
  now += MINUTE_MS;
  for (let count = 0; count < 6; count += 1) answer(4);
  history.read(health);
  now += MINUTE_MS;
  expect(history.read(health).samples.at(-1)).toMatchObject({ requests: 3 });
});

test.each([
  ['a long poll', { ...read, query: { wait: '25' } }, { requests: 1, medianMs: null }],
  ['a long poll by POST', { ...read, body: { wait: '25' } }, { requests: 1, medianMs: null }],
  ['a call of MCP', { settings: { other: {} }, headers: {} }, { requests: 1, medianMs: null }],
  ['the request that a call of MCP sends', { ...read, headers: { 'x-within': 'a' } }, { requests: 0, medianMs: 32 }],
])('%s counts once and is timed only while it works', (_name, request, counts) => {
  answer(30, 200, request);
  expect(meter.read()).toMatchObject(counts);
});

test('unknown numbers leave a gap', async () => {
  await history.sample();
  await sampleAfter(MINUTE_MS);
  const unknown = { ...HEALTHY, projections: [], payments: { open: null, rails: [] }, webhooks: null };
  expect(history.read(unknown).samples.at(-1)).toMatchObject({ lag: null, openPayments: null, webhooksWaiting: null });
});

test('a problem is known since the first sample that had it', async () => {
  await history.sample();
  health = STOPPED;
  await sampleAfter(MINUTE_MS);
  await sampleAfter(MINUTE_MS);
  const [problem, ...others] = history.read(health).problems;
  expect(problem).toMatchObject({ id: 'projection muses', since: START + MINUTE_MS, isSinceKnown: true });
  expect([problem!.sentence, others]).toEqual([expect.stringContaining('disk full'), []]);
  health = HEALTHY;
  await sampleAfter(MINUTE_MS);
  expect(history.read(health).problems).toEqual([]);
});

test('a problem of the first sample may be older than the process', async () => {
  health = STOPPED;
  await history.sample();
  await sampleAfter(MINUTE_MS);
  expect(history.read(health).problems).toMatchObject([{ since: START, isSinceKnown: false }]);
});

test('the samples of three hours are kept', async () => {
  for (let count = 0; count < 200; count += 1) await sampleAfter(MINUTE_MS);
  const { samples } = history.read(health);
  expect([samples.length, samples[0]!.at]).toEqual([181, now - 179 * MINUTE_MS]);
});
