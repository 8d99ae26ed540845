import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { AgentClient } from '#libs/client/index.js';
import { DAY_MS, MINUTE_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Cast } from '../paging-lists.js';
import { pageWhileItGrows, refuseOtherCursors } from '../paging-story.js';
import { quickstart, type RawAgent, send, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';
import { CLEAN, World } from '../world.js';

describe('paging', () => {
  const PATIENCE_MS = 240_000;
  let world: World;
  let cast: Cast;
  // Without an audit, since the service did not decide the inserted events.
  beforeAll(async () => void (world = await World.start()));
  afterAll(() => world.stop());

  test(
    'pages through every list without a gap or a repeat while a thousand items arrive',
    async () => void (cast = await pageWhileItGrows(world, { before: 60, inserted: 132, atOnce: 12 })),
    PATIENCE_MS,
  );

  test(
    'every list accepts its own cursors and refuses the cursors of other lists',
    () => refuseOtherCursors(world, cast),
    PATIENCE_MS,
  );
});

describe('days', () => {
  const world = useWorld();
  let poster: AgentClient;
  let worker: AgentClient;
  let role: string;
  beforeAll(async () => {
    [poster, worker] = (await world.agents('Poster', 'Worker')) as [AgentClient, AgentClient];
    const job = { title: 'Say hello', summary: 'One friendly line, in French.', done: 'the page says hello' };
    ({ role } = await poster.job({ ...job, budgetUsd: '10', rail: 'usdc-base' }));
    await world.advance(2 * DAY_MS);
    await worker.apply({ role, note: 'I can.' });
  });

  const days = async () => (await send(world.url, '/api/stats/days')).body['days'] as unknown as Day[];
  interface Day {
    readonly at: number;
    readonly [counted: string]: unknown;
  }

  test('count the events of each day, including days without events', async () => {
    const { hire } = await poster.hire({ role, to: worker.museId });
    await worker.deliver({ hire, url: world.page('first') });
    await worker.deliver({ hire, url: world.page('bonjour') });
    await poster.pay({ hire });
    await world.settle();
    const all = await days();
    expect(all).toHaveLength(30);
    expect(all.map(({ at }) => at)).toEqual(all.map((_, index) => all[0]!.at + index * DAY_MS));
    const nothing = { joined: 0, jobs: 0, applications: 0, hires: 0, deliveries: 0, paid: [] };
    expect(all.at(-3)).toMatchObject({ joined: 2, jobs: 1, applications: 0, hires: 0, paid: [] });
    expect(all.at(-2)).toEqual({ at: all.at(-2)!.at, ...nothing });
    const paid = [{ token: 'USDC', usd: '10' }];
    expect(all.at(-1)).toMatchObject({ joined: 0, jobs: 0, applications: 1, hires: 1, deliveries: 1, paid });
    expect(await world.reader().stats()).toMatchObject({ hires: 1, deliveries: 1 });
  });

  test('the hires of a role show the worker and the outcome', async () => {
    const { body } = await send(world.url, `/api/role/${role}/hires`);
    expect(body['hires']).toMatchObject([{ muse_id: worker.museId, role, paid: true, delivery: { post: null } }]);
    expect(Object.keys(body['muses'] as object).sort()).toEqual([poster.museId, worker.museId].sort());
    expect(body['next']).toBeNull();
  });
});

describe('the time of reading', () => {
  const world = useWorld();

  /** Lists for each position of a muse when the other side first received it, newest first. */
  async function readTimes(worker: RawAgent): Promise<unknown[]> {
    const positions = (await world.read(`/api/muse/${worker.museId}`))['positions'] as unknown as readonly JsonObject[];
    return positions.map(({ status, read_at }) => [status, read_at]);
  }

  test('a hire counts as read when its own application was read, despite a later one', async () => {
    const [poster, worker] = [await world.raw('Poster'), await world.raw('Worker')];
    const role = await poster.postJob();
    await worker.post('apply', { role, note: 'Gladly.' });
    await world.settle();
    await poster.post('inbox', {});
    await world.settle();
    const hired = await poster.post('hire', { role, to: worker.museId });
    const hire = textOf(hired, 'hire');
    const [[, readAt]] = (await readTimes(worker)) as [[string, number]];
    expect(readAt).toBeGreaterThan(0);
    expect(hired.body['position']).toMatchObject({ read_at: readAt });
    await poster.post('end_hire', { hire, reason: 'It is not needed any more.' });
    await worker.post('apply', { role, note: 'Once more.' });
    expect(await readTimes(worker)).toEqual([
      ['applied', null],
      ['hired', readAt],
    ]);
    await world.advance(1_000);
    await poster.post('inbox', {});
    const [[, again], [, first]] = (await readTimes(worker)) as [[string, number], [string, number]];
    expect([again > readAt, first]).toEqual([true, readAt]);
    expect(await world.audit()).toEqual(CLEAN);
  });

  test('an application that is read after its hire counts as read then', async () => {
    const [poster, worker] = [await world.raw('Fast'), await world.raw('Hired')];
    await poster.hire(worker);
    expect(await readTimes(worker)).toEqual([['hired', null]]);
    await poster.post('inbox', {});
    expect(await readTimes(worker)).toEqual([['hired', expect.any(Number)]]);
    expect(await world.audit()).toEqual(CLEAN);
  });
});

describe('limit points of reads', () => {
  const world = useWorld({ settings: { RATE_LIMITS: 'dev' } });
  let events: number;
  beforeAll(async () => {
    await Promise.all(Array.from({ length: 260 }, () => quickstart(world.url, { kind: 'reader' })));
    await world.settle();
    events = (await world.events()).length;
  });
  // Starts each test with fresh windows.
  beforeEach(() => world.advance(MINUTE_MS));

  const LINES = { accept: 'application/x-ndjson' };
  const leftOf = (headers: Headers) => Number(/"reads";r=(\d+);/.exec(headers.get('ratelimit') ?? '')![1]);

  async function read(path: string, headers: { readonly [name: string]: string } = {}) {
    const answer = await fetch(`${world.url}${path}`, { headers });
    return { status: answer.status, left: leftOf(answer.headers), text: await answer.text() };
  }

  test('a page costs a point, plus one for every 100 events', async () => {
    expect(events).toBeGreaterThan(300);
    const more = Math.floor(events / 100);
    expect((await read('/api/events?limit=1')).left).toBe(599);
    expect((await read('/api/events?limit=99')).left).toBe(598);
    expect((await read('/api/events')).left).toBe(596);
    expect((await read('/api/events?limit=250')).left).toBe(593);
    expect((await read('/api/events?limit=1000')).left).toBe(592 - more);
    expect((await read('/api/roles')).left).toBe(591 - more);
  });

  test('NDJSON costs a point, plus one for every 100 events', async () => {
    const { text } = await read('/api/events', LINES);
    expect(text.trimEnd().split('\n')).toHaveLength(events + 1);
    expect((await read('/api/roles')).left).toBe(598 - Math.floor(events / 100));
  });

  test('a filter costs a point for every 1,000 events that it leaves out', async () => {
    const more = Math.floor(events / 1_000);
    expect(more).toBeGreaterThan(0);
    expect((await read('/api/events?types=Hired')).left).toBe(599 - more);
    expect((await read('/api/events?types=Hired', LINES)).status).toBe(200);
    expect((await read('/api/roles')).left).toBe(597 - 2 * more);
  });

  test('a page without events or a refused page costs one point', async () => {
    const { head } = JSON.parse((await read('/api/events?limit=1')).text) as { readonly head: string };
    expect((await read(`/api/events?limit=1000&after=${head}`)).left).toBe(598);
    expect((await read('/api/events?limit=1000&types=Nothing')).left).toBe(597);
    const lines = await fetch(`${world.url}/api/events?after=${head}`, { headers: LINES });
    expect(await lines.text()).toBe(`{"head":"${head}"}\n`);
    expect((await read('/api/events', { accept: 'text/event-stream', 'last-event-id': 'x' })).left).toBe(595);
  });

  test('concurrent page requests above the limit are refused before they are built', async () => {
    const answers = await Promise.all(Array.from({ length: 80 }, () => send(world.url, '/api/events?limit=1000')));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter(status => status === 429).length).toBeGreaterThan(0);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.body).toMatchObject({ code: 'rate_limited', limit: 'reads' });
    expect(refused.headers.get('retry-after')).toBe(textOf(refused, 'retry_after'));
    await world.advance(MINUTE_MS);
    expect(await world.audit()).toEqual(CLEAN);
  });
});
