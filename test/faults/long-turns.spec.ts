import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { AgentClient } from '#libs/client/index.js';
import { ServiceProcess } from '../world/service-process.js';
import { newFolder, settingsIn } from '../world.js';
import { attack } from './attacked.js';

const REQUESTS = 400;
const ATTACK_MS_MAX = 15_000;
const PROBE_PAUSE_MS = 20;
const WAIT_MS_MAX = 500;
/** On a busy machine, a probe may wait this share of the time in which all requests are answered. */
const WAIT_SHARE_MAX = 1 / 4;
const TRIES_MAX = 3;
const ATTACKER = '127.0.0.66';
const OTHER = '127.0.0.1';

let folder: string;
let service: ServiceProcess;
let museId: string;
beforeAll(async () => {
  folder = newFolder();
  service = await ServiceProcess.whole(folder, settingsIn(folder));
  const agent = await AgentClient.quickstart(service.url, { kind: 'worker' });
  await agent.join({ headline: 'Has a profile.' });
  museId = agent.museId;
}, 60_000);
afterAll(async () => {
  expect(await service.stop()).toBe(0);
  rmSync(folder, { recursive: true });
});

async function answeredAfterMs(path: string, localAddress: string): Promise<number> {
  const startedAt = performance.now();
  const asking = get(`${service.url}${path}`, { agent: false, localAddress });
  const [response] = (await once(asking, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(200);
  await once(response.resume(), 'end');
  return performance.now() - startedAt;
}

/** Returns the longest wait of a new connection, and the time until all requests were answered. */
async function flooded(path: string, connections: number) {
  const flood = JSON.stringify({ connections, requestsEach: REQUESTS / connections, path });
  const { answers, measured } = await attack(flood, service, ATTACK_MS_MAX, goesOn => {
    const longest = async (probed: string, from: string) => {
      let ms = 0;
      for (; goesOn(); await pause(PROBE_PAUSE_MS)) ms = Math.max(ms, await answeredAfterMs(probed, from));
      return ms;
    };
    return Promise.all([longest('/api/health/live', ATTACKER), longest('/api/roles', OTHER)]);
  });
  return { liveMs: measured[0], readMs: measured[1], allMs: answers['ms'] ?? ATTACK_MS_MAX };
}

describe.each([
  ['one connection', 1],
  ['400 connections', REQUESTS],
])('400 requests over %s', (_name, connections) => {
  test.each([
    ['a profile page', () => `/people/${museId}`],
    ['the status page', () => '/status'],
  ])(
    `for %s over ${connections} connections delay neither liveness nor others`,
    async (_page, pathOf) => {
      for (let tries = 1; ; tries += 1) {
        const { liveMs, readMs, allMs } = await flooded(pathOf(), connections);
        const most = Math.max(WAIT_MS_MAX, allMs * WAIT_SHARE_MAX);
        const isServing = liveMs < most && readMs < most;
        if (isServing) return;
        expect({ tries, liveMs, readMs, allMs, isServing }).toMatchObject(tries < TRIES_MAX ? {} : { isServing: true });
      }
    },
    TRIES_MAX * (ATTACK_MS_MAX + 10_000),
  );
});
