import { afterEach, expect, test } from '@jest/globals';
import { fastify, type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import pino from 'pino';
import { Metrics } from '#libs/service/metrics/metrics.js';
import { OutageTracker } from '#libs/platform/outages/outage-tracker.js';
import type { WritePipeline } from '#libs/http/write-pipeline.js';
import type { RouteSettings } from '#libs/http/routes.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { benches, until } from '../documents/bench.js';
import { addServiceHooks } from './hooked-app.js';

const QUIET_MS = 200;
const REQUESTS = 20;

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly part?: string;
  readonly requests?: number;
  readonly err?: { readonly stack: string };
}

const bench = benches();
let app: FastifyInstance | undefined;
afterEach(() => app?.close());

async function service(error: () => Error) {
  const lines: Line[] = [];
  const log: FastifyBaseLogger = pino(
    { level: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line) as Line) },
  );
  const metrics = new Metrics();
  const begin = () => Promise.reject(error());
  app = fastify({ loggerInstance: log, disableRequestLogging: true });
  await addServiceHooks(app, {
    models: await bench().project([]),
    pipeline: { begin } as unknown as WritePipeline,
    outages: new OutageTracker(log, QUIET_MS),
    countOutage: metrics.requests.countOutage,
  });
  app.post('/write', { config: { write: {} } as RouteSettings }, async () => ({}));
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  lines.splice(0);
  const write = async () => (await fetch(`${url}/write`, { method: 'POST' })).status;
  return { lines, write, metrics };
}

const away = () => new Unavailable('The event log', { cause: new Error('No answer came.') });

test('logs one line at the start and one at the end of an outage', async () => {
  const { lines, write, metrics } = await service(away);
  const statuses = await Promise.all(Array.from({ length: REQUESTS }, write));
  expect(new Set(statuses)).toEqual(new Set([503]));
  await until(() => lines.length > 1);
  const [begins, ends, ...more] = lines;
  expect(begins).toMatchObject({
    level: 50,
    part: 'The event log',
    err: { stack: expect.stringContaining('No answer') },
  });
  expect(ends).toMatchObject({ level: 30, part: 'The event log', requests: REQUESTS });
  expect([ends!.err, more]).toEqual([undefined, []]);
  expect(await metrics.text(null)).toContain(`outage_requests_total{part="The event log"} ${REQUESTS}\n`);
});

test('logs a repeated outage again and each unavailable part separately', async () => {
  const parts = [away, away, () => new Unavailable('The documents')];
  const { lines, write } = await service(() => parts.shift()!());
  await write();
  await until(() => lines.length === 2);
  await write();
  await write();
  await until(() => lines.length === 6);
  expect(lines.filter(({ level }) => level === 50).map(({ part }) => part)).toEqual([
    'The event log',
    'The event log',
    'The documents',
  ]);
});

test('logs every defect with its id', async () => {
  const { lines, write } = await service(() => new RangeError('no such thing'));
  await write();
  await write();
  expect(lines.map(({ msg, level }) => [msg, level])).toEqual([
    ['request failed', 50],
    ['request failed', 50],
  ]);
  expect(lines[0]).toMatchObject({ error_id: expect.any(String) });
});
