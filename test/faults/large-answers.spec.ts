import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { quickstart } from '../raw-agent.js';
import { ServiceProcess } from '../world/service-process.js';
import { newFolder, settingsIn } from '../world.js';
import { attack, residentMib } from './attacked.js';

const EVENTS = 1_600;
const ATTACK_MS = 10_000;
const LIVE_MS_MAX = 500;
const MEMORY_MIB_MAX = 400;
const PROBE_PAUSE_MS = 100;
const SAMPLE_PAUSE_MS = 100;
const SMALL_HEAP = { METRICS_PORT: '0', NODE_OPTIONS: '--max-old-space-size=512' };
const TIMEOUT_MS = 180_000;

let folder: string;
beforeAll(async () => {
  folder = newFolder();
  const service = await ServiceProcess.whole(folder, settingsIn(folder));
  while ((await eventsOf(service.url)) < EVENTS)
    await Promise.all(Array.from({ length: 100 }, () => quickstart(service.url, { kind: 'reader' })));
  expect(await service.stop()).toBe(0);
}, TIMEOUT_MS);

async function eventsOf(url: string): Promise<number> {
  const answer = await fetch(`${url}/api/events`, { headers: { accept: 'application/x-ndjson' } });
  return (await answer.text()).split('\n').length - 2;
}

async function answeredAfterMs(url: string): Promise<number> {
  const startedAt = performance.now();
  const asking = get(url, { agent: false });
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  await once(response.resume(), 'end');
  return performance.now() - startedAt;
}

/** Returns the longest wait of a new connection, the peak memory and the responses to the attacker by status. */
async function attackedBy(name: string, service: ServiceProcess, path = '/api/health/live') {
  const { answers, measured } = await attack(name, service, ATTACK_MS, goesOn => {
    const largest = async (pauseMs: number, measure: () => Promise<number>) => {
      let most = 0;
      for (; goesOn(); await pause(pauseMs)) most = Math.max(most, await measure());
      return most;
    };
    const live = () => answeredAfterMs(`${service.url}${path}`);
    return Promise.all([largest(PROBE_PAUSE_MS, live), largest(SAMPLE_PAUSE_MS, () => residentMib(service))]);
  });
  const [liveMs, memoryMib] = measured;
  return { liveMs, memoryMib, answers };
}

const TRIES_MAX = 3;
/** Scales the limit by the load of other programs on the machine. */
const busyness = () => Math.max(1, loadavg()[0]! / availableParallelism());

describe.each(['on', 'off'])('with RATE_LIMITS=%s', limits => {
  test.each([
    ['250 pages of 1,000 events, pipelined', 'pipelined'],
    ['550 connections that each ask for a page of 1,000 events', 'pages'],
    ['550 connections that each ask for the whole log', 'lines'],
  ])(
    'survives %s',
    async (_name, attacker) => {
      const settings = { ...settingsIn(folder), ...SMALL_HEAP, RATE_LIMITS: limits };
      for (let tries = 1; ; tries += 1) {
        const service = await ServiceProcess.whole(folder, settings);
        const { liveMs, memoryMib, answers } = await attackedBy(attacker, service);
        expect(await service.stop()).toBe(0);
        expect(memoryMib).toBeLessThan(MEMORY_MIB_MAX);
        const isServing = answers['200'] !== undefined && liveMs < LIVE_MS_MAX * busyness();
        if (isServing) return;
        expect({ tries, liveMs, answers, isServing }).toMatchObject(tries < TRIES_MAX ? {} : { isServing: true });
      }
    },
    TIMEOUT_MS,
  );
});

test(
  'serves large pages to another address while readers do not read',
  async () => {
    const service = await ServiceProcess.whole(folder, { ...settingsIn(folder), ...SMALL_HEAP });
    const { memoryMib } = await attackedBy('unread', service, '/api/events?limit=1000');
    expect(await service.stop()).toBe(0);
    expect(memoryMib).toBeLessThan(MEMORY_MIB_MAX);
  },
  TIMEOUT_MS,
);
