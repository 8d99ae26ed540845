import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { STOP_MS } from '#libs/setup/process/stopping.js';
import { type RawAgent, send } from '../raw-agent.js';
import { CLEAN, World } from '../world.js';
import type { ServiceProcess } from '../world/service-process.js';

/** Time in which old and new processes serve together. */
const MIXED_MS = 2 * SECOND_MS;
/** Time for which a balancer may still send requests to a gateway that it is about to lose. */
const ANNOUNCED_MS = SECOND_MS;
const TIMEOUT_MS = 120_000;

let world: World;
let posters: readonly RawAgent[];
/** Addresses that the balancer sends requests to. */
let ready: string[];
beforeAll(async () => {
  world = await World.start({ apart: { gateways: 1, projectors: 1 } });
  posters = await world.raws('Ada', 'Ben', 'Cleo');
  ready = world.apart.gateways.map(({ url }) => url);
}, TIMEOUT_MS);
afterAll(() => world.stop());

let sent = 0;
const nextUrl = () => ready[(sent += 1) % ready.length]!;

/** Posts jobs and reads each through the next gateway until the signal. Returns the statuses of all answers. */
async function work(poster: RawAgent, until: AbortSignal): Promise<number[]> {
  const statuses: number[] = [];
  while (!until.aborted) {
    const job = { title: `Job ${sent}`, summary: 'Twenty characters at least.', done: 'a thing is done' };
    const posted = await send(nextUrl(), '/api/job', { body: poster.signed('job', job) });
    const headers = { 'min-position': posted.headers.get('event-position')! };
    const shown = await send(nextUrl(), `/api/role/${posted.body['role'] as string}`, { headers });
    statuses.push(posted.status, shown.status);
  }
  return statuses;
}

async function stopTime(process: ServiceProcess): Promise<number> {
  const from = performance.now();
  expect(await process.stop()).toBe(0);
  return performance.now() - from;
}

test(
  'a rolling upgrade of projector and gateway loses no request and no write',
  async () => {
    const { gateways, projectors } = world.apart;
    const [oldGateway, oldProjector] = [gateways[0]!, projectors[0]!];
    const stopping = new AbortController();
    const working = Promise.all(posters.map(poster => work(poster, stopping.signal)));
    await world.apart.addProjector();
    const gateway = await world.apart.addGateway();
    expect(await (await fetch(`${gateway.url}/api/health`)).json()).toMatchObject({ ok: true });
    ready = [oldGateway.url, gateway.url];
    await pause(MIXED_MS);
    const before = sent;
    expect(await stopTime(oldProjector)).toBeLessThan(STOP_MS);
    ready = [gateway.url];
    await pause(ANNOUNCED_MS);
    expect(await stopTime(oldGateway)).toBeLessThan(STOP_MS);
    gateways.shift();
    await pause(MIXED_MS);
    stopping.abort();
    const statuses = (await working).flat();
    expect(sent).toBeGreaterThan(before);
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await world.counts('JobPosted')).toEqual([statuses.length / 2]);
  },
  TIMEOUT_MS,
);

test(
  'the log of a rolling upgrade passes the audit',
  async () => expect(await world.audit()).toEqual(CLEAN),
  TIMEOUT_MS,
);
