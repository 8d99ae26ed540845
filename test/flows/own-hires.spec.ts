import { beforeAll, describe, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { quickstart, type RawAgent, type Reply, send } from '../raw-agent.js';
import { useSharedWorld } from '../use-world.js';

interface OwnHires {
  readonly hires: readonly JsonObject[];
  readonly next: string | null;
  readonly muses: JsonObject;
}

describe('the list of own hires', () => {
  const world = useSharedWorld();
  let poster: RawAgent;
  let worker: RawAgent;
  const hires: { [state: string]: number } = {};

  async function hireUntil(state: string, terms: { readonly [name: string]: string }, ...steps: string[]) {
    const { hire } = await poster.hire(worker, terms);
    hires[state] = Number(hire);
    for (const step of steps) {
      if (step === 'deliver') await worker.ok('deliver', { hire, url: world.page(`Text of ${state}.`) });
      if (step === 'accept') await poster.ok('accept', { hire });
      if (step === 'pay') await poster.buy('pay', { hire });
      if (step === 'end') await worker.ok('end_hire', { hire, reason: 'I have no time for it any more.' });
    }
  }

  const listOf = (reply: Reply): OwnHires => {
    expect([reply.status, reply.body]).toEqual([200, reply.body]);
    return reply.body as unknown as OwnHires;
  };
  const idsOf = (reply: Reply) => listOf(reply).hires.map(({ hire }) => hire);
  const named = (...states: string[]) => states.map(state => hires[state]);

  beforeAll(async () => {
    [poster, worker] = await world.raws('Poster', 'Worker');
    await hireUntil('hired', {});
    await hireUntil('accepted', { budget_usd: '1' }, 'deliver', 'accept');
    await hireUntil('delivered', {}, 'deliver');
    await hireUntil('ended', {}, 'end');
    await hireUntil('paid', { budget_usd: '1' }, 'deliver', 'pay');
    await world.settle();
  });

  test('begins with the open ones, each newest first, for worker and poster alike', async () => {
    const all = named('delivered', 'hired', 'paid', 'ended', 'accepted');
    expect(idsOf(await worker.post('hires'))).toEqual(all);
    expect(idsOf(await poster.post('hires'))).toEqual(all);
    expect(idsOf(await worker.post('hires', { open: '1' }))).toEqual(named('delivered', 'hired'));
  });

  test('names role, title, both parties and the record of each hire', async () => {
    const reply = await worker.post('hires', { limit: '1' });
    const {
      hires: [first],
      muses,
    } = listOf(reply);
    expect(first).toMatchObject({
      hire: hires['delivered'],
      role: expect.stringMatching(/^job-/),
      title: 'A page',
      status: 'hired',
      poster: poster.museId,
      worker: worker.museId,
      settlement: 'delivered',
      evidence: `/api/record/hire/${hires['delivered']}`,
    });
    expect(Object.keys(muses).sort()).toEqual([poster.museId, worker.museId].sort());
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  test('shows one side on request, and only the hires of its caller', async () => {
    const other = await world.raw('Other');
    const { hire } = await worker.hire(other);
    await world.settle();
    expect(idsOf(await worker.post('hires', { as: 'poster' }))).toEqual([Number(hire)]);
    expect(idsOf(await worker.post('hires', { as: 'worker' }))).toHaveLength(5);
    expect(idsOf(await worker.post('hires'))).toHaveLength(6);
    expect(idsOf(await other.post('hires'))).toEqual([Number(hire)]);
    expect(idsOf(await other.post('hires', { as: 'poster' }))).toEqual([]);
  });

  test('continues at its cursor and refuses the cursor of another filter', async () => {
    const whole = idsOf(await worker.post('hires'));
    const pages: unknown[] = [];
    for (let after: string | null = ''; after !== null;) {
      const page = await worker.post('hires', { limit: '2', after });
      pages.push(...idsOf(page));
      after = listOf(page).next;
    }
    expect(pages).toEqual(whole);
    const { next } = listOf(await worker.post('hires', { limit: '1' }));
    const refused = await worker.post('hires', { open: '1', after: next! });
    expect([refused.status, refused.body['field']]).toEqual([400, 'after']);
  });

  test('is read by GET with a token and the fields as its query, never with a signature', async () => {
    const { museId, headers } = await quickstart(world.url, { name: 'Token worker' });
    const role = await poster.postJob();
    const apply = await send(world.url, '/api/apply', { headers, body: { role, note: 'Gladly.' } });
    expect(apply.status).toBe(200);
    const { body } = await poster.ok('hire', { role, to: museId });
    await world.settle();
    const reply = await send(world.url, '/api/hires?as=worker&open=1&limit=5', { headers });
    expect(idsOf(reply)).toEqual([body['hire']]);
    expect([reply.headers.get('cache-control'), reply.headers.get('etag')]).toEqual(['no-store', null]);
    expect(idsOf(await send(world.url, '/api/hires?as=poster', { headers }))).toEqual([]);
    expect(idsOf(await send(world.url, '/api/hires', { headers, body: { open: true } }))).toEqual([body['hire']]);

    const query = new URLSearchParams(worker.signed('hires') as { [name: string]: string }).toString();
    expect((await send(world.url, `/api/hires?${query}`)).body).toMatchObject({ ok: false, code: 'unsigned' });
    for (const [wrong, field] of [
      ['as=both', 'as'],
      ['open=yes', 'open'],
      ['limit=0', 'limit'],
      ['after=none', 'after'],
      ['as=worker&as=poster', 'as'],
    ]) {
      const refused = await send(world.url, `/api/hires?${wrong}`, { headers });
      expect([wrong, refused.status, refused.body['field']]).toEqual([wrong, 400, field]);
    }
    const head = await send(world.url, '/api/hires', { method: 'HEAD', headers });
    expect(head.status).toBe(405);
  });

  test('the list of own hires moves a hire behind the open ones once it is accepted', async () => {
    await poster.ok('accept', { hire: String(hires['delivered']) });
    await world.settle();
    expect(idsOf(await worker.post('hires', { as: 'worker', open: '1' }))).toEqual(named('hired'));
    expect(idsOf(await worker.post('hires', { as: 'worker' }))).toEqual(
      named('hired', 'paid', 'ended', 'delivered', 'accepted'),
    );
  });
});
