import { rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pino from 'pino';
import { type Service, startService } from '#apps/gateway/service.js';
import { healthProblems } from '#libs/features/stats/health-problems.js';
import { MINUTE_MS } from '#libs/kernel/clock.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { findFreePort } from '#libs/payments/devchain/processes.js';
import { startProjections } from '#libs/service/background-tasks.js';
import { readSettings } from '#libs/setup/settings.js';
import { message, VERSION } from '../a2a.js';
import { modernRequest } from '../mcp.js';
import { type HeaderFields, quickstart, send } from '../raw-agent.js';
import { CLEAN, newFolder, World } from '../world.js';
import { watchErrors } from '../world/logged-errors.js';

describe('health', () => {
  let world: World;
  beforeEach(async () => void (world = await World.start()));
  afterEach(() => world.stop());

  const health = () => send(world.url, '/api/health');
  const sentences = async () => healthProblems((await health()).body as never);

  test('is unhealthy while the log refuses writes and recovers with the next write', async () => {
    const { log } = world.service.stores;
    const append = log.append.bind(log);
    expect(await health()).toMatchObject({ status: 200, body: { ok: true, status: 'ok' } });
    log.append = () => Promise.reject(new Unavailable('The event log'));
    expect((await send(world.url, '/api/quickstart', { body: { name: 'Refused' } })).status).toBe(503);
    expect(await health()).toMatchObject({
      status: 503,
      body: { ok: false, status: 'degraded', event_log: { reachable: false }, vault: { reachable: true } },
    });
    expect(await sentences()).toEqual([
      'The event log cannot be reached or is damaged, or its disk is full: writes are refused.',
    ]);
    log.append = append;
    await quickstart(world.url, { name: 'Taken' });
    expect(await health()).toMatchObject({ status: 200, body: { ok: true, status: 'ok' } });
    expect(await world.audit()).toEqual(CLEAN);
  });

  test('is unhealthy and names the vault if the vault does not respond', async () => {
    const { vault } = world.service.stores;
    vault.list = () => Promise.reject(new Unavailable('The vault'));
    expect(await health()).toMatchObject({ status: 503, body: { ok: false, vault: { reachable: false } } });
    expect(await sentences()).toEqual(['The vault cannot be reached: writes are refused.']);
  });

  test('is degraded if events are not projected for half a minute, and says since when', async () => {
    const { models } = world.service;
    const states = models.states.bind(models);
    const since = Date.now() - MINUTE_MS;
    models.states = async head => (await states(head)).map(each => ({ ...each, lag: 3, waiting_since: since }));
    expect(await health()).toMatchObject({ status: 200, body: { ok: true, status: 'degraded' } });
    expect(await sentences()).toEqual([
      `No projector has processed the events since ${new Date(since).toISOString()}: start one.`,
    ]);
  });

  test('is degraded while the log lacks events that the documents contain', async () => {
    const { log } = world.service.stores;
    const before = await log.head();
    await quickstart(world.url, { name: 'Lost' });
    await world.settle();
    log.head = () => Promise.resolve(before);
    log.holds = position => Promise.resolve(position <= before);
    const { status, body } = await health();
    expect([status, body]).toMatchObject([200, { ok: true, status: 'degraded', projections: expect.anything() }]);
    expect(new Set((body['projections'] as { lag: unknown }[]).map(({ lag }) => lag))).toEqual(new Set([null]));
    expect(await sentences()).toEqual([
      'The events that are not processed yet cannot be counted: the event log does not answer, or it lost some.',
    ]);
  });
});

describe('a start', () => {
  const log = pino({ level: 'silent' });
  let folder: string;
  let port: number;
  beforeAll(async () => {
    folder = newFolder();
    port = await findFreePort();
  });

  test('reports its progress and refuses other requests until the documents are filled', async () => {
    const settings = readSettings({ PORT: String(port), DATA_DIR: join(folder, 'data'), DEV_CHAIN_PORTS: '0,0' });
    const before = await startService(settings, log);
    const { body: joined } = await ask('/api/quickstart', { kind: 'translator' });
    await before.stop();
    for (const file of ['documents.db', 'documents.db-wal', 'documents.db-shm'])
      rmSync(join(settings.dataDir, file), { force: true });

    let fill!: () => void;
    const filled = new Promise<void>(resolve => (fill = resolve));
    const starting = startService(settings, log, {}, async core => {
      const projections = await startProjections(core);
      await filled;
      return projections;
    });
    const health = await filling();
    const { events, of } = health.body['filling'] as { readonly events: number; readonly of: number };
    expect(health).toMatchObject({ status: 503, body: { ok: false, status: 'degraded' } });
    expect([events > 0, events]).toEqual([true, of]);
    expect(await ask('/api/health/live')).toMatchObject({ status: 200, body: { ok: true } });
    const refusal = { status: 503, retryAfter: '2', body: { code: 'starting', retryable: true } };
    expect(await ask('/api/roles')).toMatchObject(refusal);
    expect(await ask('/api/quickstart', { kind: 'translator' })).toMatchObject(refusal);
    expect(await ask('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).toMatchObject(refusal);
    expect(await ask('/api/nothing')).toMatchObject({ status: 404 });
    const page = await fetch(`http://127.0.0.1:${port}/jobs`, { headers: { accept: 'text/html' } });
    expect([page.status, page.headers.get('retry-after'), page.headers.get('content-type')]).toEqual([
      503,
      '2',
      'text/html; charset=utf-8',
    ]);

    fill();
    const service: Service = await starting;
    expect(await ask('/api/health')).toMatchObject({ status: 200, body: { ok: true, filling: null } });
    expect(await ask(`/api/muse/${joined['muse_id'] as string}`)).toMatchObject({ status: 200 });
    await service.stop();
  });

  /** Polls until the port is taken and the fill has started. */
  async function filling(): Promise<Awaited<ReturnType<typeof ask>>> {
    for (;;) {
      const answer = await ask('/api/health').catch(() => undefined);
      if (answer?.body['filling']) return answer;
      await new Promise(resolve => setTimeout(resolve, 20));
    }
  }

  async function ask(path: string, body?: object) {
    const sent = body && {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    };
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, sent);
    const { status, headers } = answer;
    const read = (await answer.json()) as { readonly [name: string]: unknown };
    return { status, retryAfter: headers.get('retry-after'), body: read };
  }
});

describe('a stop', () => {
  const WITHIN_MS = 1_000;
  /** Includes closing the stores and the nodes of the development chain. */
  const STOPPED_MS = 5_000;
  const BEGUN_MS = 500;

  let world: World;
  let agent: Agent;
  let bearer: HeaderFields;
  beforeAll(async () => {
    world = await World.start();
    agent = new Agent({ keepAlive: true });
    ({ headers: bearer } = await quickstart(world.url, { name: 'Waiter', kind: 'publisher' }));
  });
  afterAll(async () => {
    agent.destroy();
    await world.stop();
  });

  interface Ended {
    readonly status: number;
    readonly text: string;
    /** Null if the connection broke. */
    readonly endedAt: number | null;
  }

  function ask(path: string, headers: HeaderFields, body?: string): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const method = body === undefined ? 'GET' : 'POST';
      const sent = request(`${world.url}${path}`, { agent, method, headers }, response => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        const status = response.statusCode!;
        response.on('end', () => resolve({ status, text, endedAt: performance.now() }));
        response.on('error', () => resolve({ status, text, endedAt: null }));
      });
      sent.on('error', reject).end(body);
    });
  }

  const headOf = async () => ((await (await fetch(`${world.url}/api/events?limit=1`)).json()) as { head: string }).head;
  const json = { 'content-type': 'application/json' };

  test('completes every waiting request and ends every live tail within a second', async () => {
    const after = await headOf();
    const [tool, mcpHeaders] = modernRequest('tools/call', { name: 'inbox', arguments: { wait: '25' } });
    const job = message('Translate one page of a manual into French.', {});
    const stream = { jsonrpc: '2.0', id: 1, method: 'SendStreamingMessage', params: job };
    const requests = {
      page: ask(`/api/events?after=${after}&types=Paid&wait=25`, {}),
      tail: ask('/api/events?types=Paid', { accept: 'text/event-stream' }),
      inbox: ask('/api/inbox', { ...json, ...bearer }, '{"wait":"25"}'),
      tool: ask('/mcp', { ...mcpHeaders, ...bearer }, tool),
      stream: ask('/a2a', { ...json, ...VERSION, ...bearer }, JSON.stringify(stream)),
    };
    await pause(BEGUN_MS);
    const newErrors = watchErrors();
    expect(await world.audit()).toEqual(CLEAN);
    const from = performance.now();
    let stoppedMs = 0;
    await world.restart({}, () => void (stoppedMs = performance.now() - from));
    const ended = Object.entries(requests).map(async ([name, asking]) => [name, await asking] as const);
    const answers = Object.fromEntries(await Promise.all(ended));
    expect(newErrors()).toEqual([]);
    for (const [name, { status, endedAt }] of Object.entries(answers)) {
      expect([name, status, endedAt]).toEqual([name, 200, expect.any(Number)]);
      expect([name, endedAt! - from < WITHIN_MS]).toEqual([name, true]);
    }
    expect(JSON.parse(answers['page']!.text)).toMatchObject({ ok: true, events: [] });
    expect(JSON.parse(answers['inbox']!.text)).toMatchObject({ ok: true, items: [] });
    expect(answers['tail']!.text).toContain(': the events follow');
    expect(answers['stream']!.text).toContain('TASK_STATE_SUBMITTED');
    expect(answers['stream']!.text).not.toContain('error');
    expect(stoppedMs).toBeLessThan(STOPPED_MS);
    expect(await world.audit()).toEqual(CLEAN);
  });
});
