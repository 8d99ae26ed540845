import { beforeAll, describe, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { JOB, RawAgent, send } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let poster: RawAgent;
let worker: RawAgent;
beforeAll(async () => {
  [poster, worker] = await world.raws('lister', 'applicant');
});

const get = async (path: string) => (await send(world.url, path)).body;
const post = (fields: { readonly [name: string]: string } = {}, by = poster) => by.postJob(fields);
const slugs = (page: JsonObject) => (page['roles'] as JsonObject[]).map(({ slug }) => slug as string);

async function everyPage(path: string, between: () => Promise<unknown> = async () => undefined): Promise<string[]> {
  const seen: string[] = [];
  for (let after = ''; ;) {
    const page = await get(`${path}${after}`);
    seen.push(...slugs(page));
    if (page['next'] === null) return seen;
    await between();
    after = `&after=${encodeURIComponent(page['next'] as string)}`;
  }
}

describe('roles', () => {
  let posted: string[];
  beforeAll(async () => {
    posted = [];
    for (let n = 0; n < 7; n += 1) posted.unshift(await post({ skills: n % 2 ? 'French' : 'German' }));
  });

  test('are listed newest first, with the muses they mention', async () => {
    const page = await get('/api/roles?limit=7');
    expect(slugs(page)).toEqual(posted);
    expect(page['muses']).toMatchObject({ [poster.museId]: { name: 'lister' } });
  });

  test('are listed without gaps when one is closed between pages', async () => {
    const first = await get('/api/roles?limit=3&skill=german');
    const [role] = slugs(first).slice(-1);
    await poster.hireFor(role!, worker);
    const rest = await everyPage(
      `/api/roles?limit=3&skill=german&after=${encodeURIComponent(first['next'] as string)}`,
    );
    const german = posted.filter((_slug, at) => at % 2 === 0);
    expect([...slugs(first), ...rest]).toEqual(german);
    expect(await everyPage('/api/roles?limit=3&skill=german')).toEqual(german.filter(slug => slug !== role));
    expect(await everyPage('/api/roles?limit=3&skill=german&all=1')).toEqual(german);
  });

  test('are filtered by skill and by poster', async () => {
    const other = await world.raw('another poster');
    const theirs = await post({ skills: 'Czech, French' }, other);
    expect(slugs(await get(`/api/roles?poster=${other.museId}`))).toEqual([theirs]);
    expect(slugs(await get('/api/roles?skill=CZECH'))).toEqual([theirs]);
    expect(slugs(await get('/api/roles?poster=agent_nobody0000'))).toEqual([]);
  });

  test('show their terms', async () => {
    const again_of = posted[0]!;
    const expires_at = String(world.now() + DAY_MS);
    const role = await post({
      skills: 'French,french, Latin',
      seats: '3',
      terms: 'Fair.',
      trial: 'Why?',
      again_of,
      expires_at,
    });
    const { role: shown } = await get(`/api/role/${role}`);
    expect(shown).toMatchObject({
      ...JOB,
      slug: role,
      terms: 'Fair.',
      trial: 'Why?',
      skills: ['french', 'latin'],
      status: 'open',
      again_of,
      poster: poster.museId,
      house: false,
      budget: null,
      fee_paid: false,
      seats: 3,
      seats_left: 3,
      applicants: 0,
      hired: [],
      project: null,
      expires_at: Number(expires_at),
      closed_at: null,
      closed_reason: null,
    });
  });
});

describe('the applications of a role', () => {
  test('are listed once each, oldest first, with their notes', async () => {
    const role = await post({ trial: 'Why?' });
    const others = await world.raws('second', 'third');
    const all = [worker, ...others];
    for (const [at, each] of all.entries())
      await each.post('apply', { role, note: `Note ${at}`, trial_answer: 'Because.' });
    const edited = await worker.post('apply', { role, note: 'Edited', trial_answer: 'Therefore.' });
    expect(edited.body).toMatchObject({ status: 'applied', edited: true });
    const page = await get(`/api/role/${role}`);
    expect(page).toMatchObject({ role: { applicants: 3 }, next: null });
    const applications = page['applications'] as JsonObject[];
    expect(applications.map(({ muse_id, note }) => [muse_id, note])).toEqual(
      [worker, ...others].map(({ museId }, at) => [museId, at === 0 ? 'Edited' : `Note ${at}`]),
    );
    expect(applications[0]).toMatchObject({
      status: 'applied',
      evidence: `/api/record/application/${role}:${worker.museId}`,
    });
    await poster.post('hire', { role, to: worker.museId });
    expect((await get(`/api/role/${role}`))['applications']).toMatchObject([{ status: 'hired' }, {}, {}]);
  });
});

describe('seats', () => {
  test('are filled in turn, and the last hire closes the role', async () => {
    const role = await post({ seats: '2' });
    const third = await world.raw('the third');
    for (const each of [worker, third]) await each.post('apply', { role, note: 'Me.' });
    const hire = async (to: RawAgent) => (await poster.post('hire', { role, to: to.museId })).body;
    const first = await hire(worker);
    expect(await get(`/api/role/${role}`)).toMatchObject({ role: { status: 'open', seats: 2, seats_left: 1 } });
    expect(await hire(worker)).toEqual(first);
    await hire(third);
    const closed = { status: 'closed', closed_reason: 'filled', seats_left: 0, hired: [worker.museId, third.museId] };
    expect(await get(`/api/role/${role}`)).toMatchObject({ role: closed });
    expect(await hire(worker)).toEqual(first);
  });
});

describe('time', () => {
  test('closes a role', async () => {
    const role = await post({ expires_at: String(world.now() + HOUR_MS), seats: '2' });
    const third = await world.raw('in time');
    await third.post('apply', { role, note: 'In time.' });
    await world.advance(2 * HOUR_MS);
    const { role: shown } = await get(`/api/role/${role}`);
    expect(shown).toMatchObject({
      status: 'closed',
      closed_reason: 'expired',
      closed_at: (shown as JsonObject)['expires_at'],
    });
    expect(await everyPage('/api/roles?limit=50')).not.toContain(role);
    expect(await everyPage('/api/roles?limit=50&all=1')).toContain(role);
    const closed = { status: 409, body: { code: 'role_closed' } };
    expect(await worker.post('apply', { role, note: 'Late.' })).toMatchObject(closed);
    expect(await third.post('apply', { role, note: 'Edited late.' })).toMatchObject(closed);
    expect(await poster.post('hire', { role, to: third.museId })).toMatchObject(closed);
  });

  test('closes a role in the counters too, and one whose seat is freed after its expiry', async () => {
    const counted = async () => (await get('/api/stats'))['roles'] as { open: number; closed: number };
    const { open, closed } = await counted();
    const expires_at = String(world.now() + HOUR_MS);
    const filled = await post({ expires_at });
    await post({ expires_at });
    const hire = await poster.hireFor(filled, worker);
    expect(await counted()).toEqual({ open: open + 1, closed: closed + 1 });
    await world.advance(2 * HOUR_MS);
    expect(await counted()).toEqual({ open, closed: closed + 2 });
    await worker.post('end_hire', { hire, reason: 'No time for it any more.' });
    expect(await counted()).toEqual({ open, closed: closed + 2 });
    expect(await get(`/api/role/${filled}`)).toMatchObject({ role: { status: 'closed', closed_reason: 'expired' } });
  });

  test('closes a role after 30 days by default', async () => {
    const role = await post();
    const { expires_at } = (await get(`/api/role/${role}`))['role'] as JsonObject;
    expect(Math.abs((expires_at as number) - (world.now() + 30 * DAY_MS))).toBeLessThan(5_000);
  });
});
