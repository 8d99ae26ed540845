import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Pages } from '../pages.js';
import { type Reply, RawAgent, send, textOf } from '../raw-agent.js';
import { ServiceProcess } from '../world/service-process.js';
import { newFolder, settingsIn } from '../world.js';

/** Runs two gateways and a projector as processes on one data folder with the embedded stores. */
let folder: string;
let gateways: ServiceProcess[];
let projector: ServiceProcess;
let pages: Pages;
const environment = () => ({ ...settingsIn(folder), METRICS_PORT: '0', FETCH_ALLOW: pages.host });

beforeAll(async () => {
  folder = newFolder();
  pages = await Pages.start();
  const [projecting, ...serving] = await Promise.all([
    ServiceProcess.projector(folder, environment()),
    ServiceProcess.gateway(folder, environment()),
    ServiceProcess.gateway(folder, environment()),
  ]);
  projector = projecting;
  gateways = serving;
});

afterAll(async () => {
  expect(await Promise.all([...gateways, projector].map(each => each.stop()))).toEqual([0, 0, 0]);
  await pages.stop();
  rmSync(folder, { recursive: true });
});

/** Time that a write waits for the read models, plus slack for a slow machine. */
const OWN_WRITE_MS = 290;
const LATE_MS = 5_000;
const REACTED_MS = 10_000;
/** Less than a write waits. */
const UNDER_WAY_MS = 100;

const urls = () => gateways.map(({ url }) => url);
const job = { title: 'Translate a page', summary: 'Twenty characters at least.', done: 'a thing is done' };
const bearer = ({ body }: Reply) => ({ authorization: `Bearer ${body['token'] as string}` });
const quickstart = (url: string) =>
  send(url, '/api/quickstart', { body: { kind: 'traveller' }, headers: { 'min-position': '0' } });

async function joined(name: string, url = urls()[0]!): Promise<RawAgent> {
  const agent = new RawAgent(url, Date.now);
  await agent.register(name);
  await agent.post('join', { headline: 'here' });
  return agent;
}

test('gateways that start together on an empty folder share a development chain', async () => {
  const chains = await Promise.all(urls().map(url => send(url, '/api/x402')));
  const rpc = chains.map(({ body }) => (body['dev'] as { rpc: unknown }).rpc);
  expect(rpc[0]).toEqual({ base: expect.stringContaining('127.0.0.1'), robinhood: expect.anything() });
  expect(rpc[1]).toEqual(rpc[0]);
});

test('a joining gateway keeps the published address of a running one', async () => {
  const written = () => readFileSync(join(folder, 'data', 'address'), 'utf8').trim();
  const before = written();
  expect(urls()).toContain(before);
  const third = await ServiceProcess.gateway(folder, environment());
  expect([written(), await third.stop()]).toEqual([before, 0]);
});

describe('a write at one gateway', () => {
  test('is visible at the other to a caller with its position', async () => {
    const [first, second] = urls() as [string, string];
    const agent = await joined('wanderer', first);
    for (let round = 1; round <= 5; round += 1) {
      const { body, headers } = await agent.post('job', { ...job, title: `Job ${round}` }, { 'min-position': '0' });
      const position = { 'min-position': headers.get('event-position')! };
      const shown = await send(second, `/api/role/${body['role'] as string}`, { headers: position });
      expect(shown).toMatchObject({ status: 200, body: { role: { title: `Job ${round}` } } });
    }
  });

  test('is visible at both at once, since it waits for the projector', async () => {
    const agent = await joined('plain');
    const { body } = await agent.post('job', job);
    const shown = await Promise.all(urls().map(url => send(url, `/api/role/${body['role'] as string}`)));
    expect(shown.map(({ status }) => status)).toEqual([200, 200]);
  });
});

test('a token from one gateway works at the other at once', async () => {
  for (const [issuer, other] of [urls(), urls().reverse()] as [string, string][]) {
    const headers = bearer(await quickstart(issuer));
    expect(await send(other, '/api/whoami', { body: {}, headers })).toMatchObject({ status: 200 });
  }
});

test('a key registered at one gateway signs at the other at once', async () => {
  for (const [first, second] of [urls(), urls().reverse()] as [string, string][]) {
    const agent = new RawAgent(first, Date.now);
    const { body } = await agent.post('register', { name: `at ${first}`, headline: 'h' }, { 'min-position': '0' });
    agent.museId = body['muse_id'] as string;
    expect(await send(second, '/api/whoami', { body: agent.signed('whoami') })).toMatchObject({ status: 200 });
  }
});

test('a gateway reports the progress of projections in another process', async () => {
  const { body } = await send(urls()[1]!, '/api/health');
  expect(body).toMatchObject({ ok: true, status: 'ok', event_log: { kind: 'sqlite', reachable: true } });
  const projections = body['projections'] as { state: string; lag: number }[];
  expect(projections.length).toBeGreaterThan(5);
  expect(projections.map(({ state }) => state)).toEqual(projections.map(() => 'running'));
});

describe('metrics on the port of each process', () => {
  const metrics = async ({ metricsUrl }: ServiceProcess) => (await fetch(`${metricsUrl}/metrics`)).text();

  test('include requests by route and refusals by code for a gateway', async () => {
    const url = urls()[0]!;
    await send(url, '/api/muse/nobody?utm_source=secret');
    await send(url, '/api/nowhere');
    const text = await metrics(gateways[0]!);
    expect(text).toMatch(
      /^http_request_duration_seconds_count\{route="\/api\/muse\/:\w+",method="GET",status="404"\} 1$/m,
    );
    expect(text).toMatch(/^http_request_duration_seconds_count\{route="none",method="GET",status="404"\} 1$/m);
    expect(text).toMatch(/^refusals_total\{code="not_found"\} 1$/m);
    expect(text).toMatch(/^refusals_total\{code="unknown_endpoint"\} 1$/m);
    expect(text).not.toContain('nobody');
  });

  test('include process figures, log and projection positions and store health', async () => {
    for (const each of [...gateways, projector]) {
      const text = await metrics(each);
      expect(text).toMatch(/^process_resident_memory_bytes \d+$/m);
      expect(text).toMatch(/^store_reachable\{store="event_log",kind="sqlite"\} 1$/m);
      expect(text).toMatch(/^event_log_position [1-9]\d*$/m);
      expect(text).toMatch(/^projection_lag_events\{projection="muses"\} \d+$/m);
      expect(text).toMatch(/^projection_running\{projection="muses"\} 1$/m);
      expect(text).toMatch(/^payments_open 0$/m);
    }
    expect(await metrics(gateways[0]!)).toMatch(/^rail_reachable\{rail="usdc-base"\} 1$/m);
    expect(await metrics(gateways[0]!)).toMatch(/^relayer_transactions_left\{rail="usdc-base"\} [1-9]\d+$/m);
  });

  test('count reactions of the projector, which reads deliveries once for all processes', async () => {
    const [poster, worker] = [await joined('posts'), await joined('works', urls()[1])];
    const role = (await poster.post('job', job)).body['role'] as string;
    await worker.post('apply', { role, note: 'Me.' });
    const hire = textOf(await poster.post('hire', { role, to: worker.museId }), 'hire');
    expect((await worker.post('deliver', { hire, url: pages.put('/once', 'done', UNDER_WAY_MS) })).status).toBe(200);
    for (const until = Date.now() + REACTED_MS; Date.now() < until;) {
      if (/^reactions_total\{reaction="read_delivery"/m.test(await metrics(projector))) break;
      await new Promise(resolve => setTimeout(resolve, UNDER_WAY_MS));
    }
    const text = await metrics(projector);
    expect(text).toMatch(/^reactions_total\{reaction="complete_hire",outcome="done"\} 1$/m);
    expect(text).toMatch(/^reactions_total\{reaction="read_delivery",outcome="done"\} 1$/m);
    expect(pages.hits('/once')).toBe(1);
  });

  test('come with the health of the projector, which serves nothing else', async () => {
    const health = await fetch(`${projector.metricsUrl}/health`);
    expect(await health.json()).toMatchObject({ ok: true, status: 'ok', documents: { reachable: true } });
    expect((await fetch(`${projector.metricsUrl}/health/live`)).status).toBe(200);
    expect((await fetch(`${projector.metricsUrl}/api/roles`)).status).toBe(404);
  });
});

describe('a stopping gateway', () => {
  test('completes pending requests, exits with 0 and leaves the chain running', async () => {
    const third = await ServiceProcess.gateway(folder, environment());
    const agent = await joined('patient', third.url);
    const { body } = await send(third.url, '/api/events?limit=1000');
    await projector.freeze();
    const tail = send(third.url, `/api/events?after=${body['head'] as string}&wait=25`);
    const write = agent.post('job', job);
    await new Promise(resolve => setTimeout(resolve, UNDER_WAY_MS));
    const ended = third.stop();
    expect((await write).status).toBe(200);
    expect((await tail).status).toBe(200);
    expect(await ended).toBe(0);
    projector.resume();
    await expect(fetch(`${third.url}/api/health/live`)).rejects.toThrow();
    const faucet = await send(urls()[0]!, '/api/faucet', { body: { wallet: agent.wallet.address } });
    expect(faucet.status).toBe(200);
  });
});

test('a write without a projector waits 0.3 s and succeeds', async () => {
  const agent = await joined('lonely');
  await projector.freeze();
  const from = performance.now();
  const { status, body, headers } = await agent.post('job', job);
  const took = performance.now() - from;
  expect(status).toBe(200);
  expect(took).toBeGreaterThan(OWN_WRITE_MS);
  expect(took).toBeLessThan(OWN_WRITE_MS + LATE_MS);
  const later = { 'min-position': headers.get('event-position')! };
  const role = `/api/role/${body['role'] as string}`;
  expect(await send(urls()[1]!, role, { headers: later })).toMatchObject({
    status: 503,
    body: { code: expect.stringMatching(/visible/) },
  });
  projector.resume();
  expect((await send(urls()[1]!, role, { headers: later })).status).toBe(200);
});

test('a second whole service on a folder exits with a sentence, but gateways may join', async () => {
  const own = newFolder();
  const settings = { ...environment(), DATA_DIR: join(own, 'data') };
  const whole = await ServiceProcess.whole(own, settings);
  await expect(ServiceProcess.whole(own, settings)).rejects.toThrow(/Another service already runs on/);
  const joined = await ServiceProcess.gateway(own, settings);
  const headers = bearer(await quickstart(joined.url));
  expect(await send(whole.url, '/api/whoami', { body: {}, headers })).toMatchObject({ status: 200 });
  expect(await Promise.all([joined.stop(), whole.stop()])).toEqual([0, 0]);
  expect(existsSync(join(own, 'data', 'documents.db'))).toBe(true);
  rmSync(own, { recursive: true });
}, 60_000);
