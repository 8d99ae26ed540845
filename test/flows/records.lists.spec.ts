import { beforeAll, describe, expect, test } from '@jest/globals';
import { HOUR_MS, SECOND_MS } from '#libs/kernel/clock.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { type RawAgent, send, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

describe('posts in records', () => {
  const BELIEVED_MS = 600 * SECOND_MS;
  const world = useWorld();

  test('a delivered post is compared on every read and recorded once in ten minutes', async () => {
    const [poster, worker] = await world.raws('Poster', 'Worker');
    const { hire } = await poster.hire(worker);
    const post_id = textOf(await worker.post('post', { text: 'This is what I did.' }), 'id');
    expect(await worker.post('deliver', { hire, post_id })).toMatchObject({ status: 200 });
    await world.settle();

    const path = `/api/record/hire/${hire}`;
    const look = () => send(world.url, path);
    const liveOf = async () => (await look()).body['live'] as JsonObject;
    const first = await look();
    const { payload } = first.body['record'] as { readonly payload: string };
    const position = (await send(world.url, `/api/muse/${worker.museId}`)).body['positions'] as JsonObject[];
    const url = `/api/post/${post_id}`;
    expect(position[0]!['delivery']).toMatchObject({ post: Number(post_id), url });
    expect(JSON.parse(payload)).toMatchObject({ delivery: { url }, deliveries: [{ url }] });
    expect(first.body['live']).toMatchObject({ matches: true, checked_at: expect.any(Number) });
    expect((await look()).body['live']).toEqual(first.body['live']);
    const etag = first.headers.get('etag')!;
    expect((await fetch(`${world.url}${path}`, { headers: { 'if-none-match': etag } })).status).toBe(304);

    await world.advance(BELIEVED_MS);
    const { matches, checked_at: later } = await liveOf();
    expect([matches, (later as number) > (first.body['live'] as { checked_at: number }).checked_at]).toEqual([
      true,
      true,
    ]);

    expect(await worker.post('post_delete', { post_id })).toMatchObject({ status: 200 });
    await world.settle();
    expect(await liveOf()).toMatchObject({ matches: false });
  });
});

describe('statuses of applications', () => {
  const world = useWorld();
  let poster: RawAgent;
  let workers: RawAgent[];
  beforeAll(async () => {
    [poster, ...workers] = await world.raws('Poster', 'Waits', 'Withdraws', 'Works', 'Leaves');
  });

  interface RoleAnswer {
    readonly role: { readonly applicants: number; readonly hired: string[]; readonly closed_at: number | null };
    readonly applications: readonly { readonly muse_id: string; readonly status: string; readonly evidence: string }[];
  }
  const roleOf = async (slug: string) => (await world.read(`/api/role/${slug}`)) as unknown as RoleAnswer;

  /** Compares the list with the counters and with the list of the poster. */
  async function statuses(role: string): Promise<string[]> {
    const { role: record, applications } = await roleOf(role);
    const all = applications.map(({ status }) => status);
    const hired = applications.filter(({ status }) => status === 'hired').map(({ muse_id }) => muse_id);
    expect(record.hired).toEqual(hired);
    expect(record.applicants).toBe(all.filter(status => ['applied', 'hired'].includes(status)).length);
    const { body } = await poster.ok('applications', { role });
    expect((body['applications'] as { status: string }[]).map(({ status }) => status)).toEqual(all);
    const page = await (await fetch(`${world.url}/jobs/${role}`)).text();
    const shown = page.slice(page.indexOf('id="applications"'));
    expect([...shown.matchAll(/<span class="aside">(\w+) ·/g)].map(([, status]) => status)).toEqual(all);
    return all;
  }

  test('include withdrawn and ended applications and count the applied and hired ones', async () => {
    const role = await poster.postJob({ seats: '3', trial: 'Why?' });
    for (const worker of workers) await worker.ok('apply', { role, note: 'Gladly.', trial_answer: 'Because.' });
    expect(await statuses(role)).toEqual(['applied', 'applied', 'applied', 'applied']);
    await workers[1]!.ok('withdraw', { role });
    await poster.ok('hire', { role, to: workers[2]!.museId });
    const hire = textOf(await poster.ok('hire', { role, to: workers[3]!.museId }), 'hire');
    expect(await statuses(role)).toEqual(['applied', 'withdrawn', 'hired', 'hired']);
    await workers[3]!.ok('end_hire', { hire, reason: 'No time for it.' });
    expect(await statuses(role)).toEqual(['applied', 'withdrawn', 'hired', 'ended']);

    const { applications } = await roleOf(role);
    const evidence = applications.map(each => each.evidence);
    expect(evidence).toEqual([
      `/api/record/application/${role}:${workers[0]!.museId}`,
      `/api/record/application/${role}:${workers[1]!.museId}`,
      expect.stringMatching('/api/record/hire/'),
      `/api/record/hire/${hire}`,
    ]);
    const answers = (await poster.ok('applications', { role })).body['applications'] as { trial_answer: unknown }[];
    expect(answers.map(({ trial_answer }) => trial_answer)).toEqual(['Because.', null, 'Because.', 'Because.']);
    const { body } = await send(world.url, `/api/muse/${workers[3]!.museId}`);
    expect(body['positions']).toMatchObject([{ role, status: 'hired', ended: { reason: 'No time for it.' } }]);
    const { payload } = (
      (await world.read(`/api/record/application/${role}:${workers[3]!.museId}`)) as unknown as Signed
    ).record;
    expect(JSON.parse(payload)).toMatchObject({ status: 'ended', hire: Number(hire) });

    await workers[3]!.ok('apply', { role, note: 'Again.', trial_answer: 'Because.' });
    expect(await statuses(role)).toEqual(['applied', 'withdrawn', 'hired', 'applied']);
  });

  interface Signed {
    readonly record: { readonly payload: string };
  }

  /** Returns `role_closed_at` from the position and the record, and when the record was issued. */
  async function closedAt(role: string, worker: RawAgent) {
    const { positions } = (await world.read(`/api/muse/${worker.museId}`)) as unknown as {
      readonly positions: readonly { readonly role: string; readonly role_closed_at?: number | null }[];
    };
    const position = positions.find(each => each.role === role);
    expect(position).toMatchObject({ status: 'applied' });
    const signed = (await world.read(`/api/record/application/${role}:${worker.museId}`)) as unknown as Signed;
    const payload = JSON.parse(signed.record.payload) as { role_closed_at: string | null; issued_at: string };
    const { role_closed_at } = position!;
    expect(payload.role_closed_at).toBe(role_closed_at === null ? null : new Date(role_closed_at!).toISOString());
    return { role_closed_at, issued: Date.parse(payload.issued_at) };
  }

  test('show when the role closed until it opens again', async () => {
    const [waits, , , leaves] = workers as [RawAgent, RawAgent, RawAgent, RawAgent];
    const role = await poster.postJob();
    for (const worker of [waits, leaves]) await worker.ok('apply', { role, note: 'Gladly.' });
    const open = await closedAt(role, waits);
    expect(open.role_closed_at).toBe(null);
    const hire = textOf(await poster.ok('hire', { role, to: leaves.museId }), 'hire');
    const filled = await closedAt(role, waits);
    const page = await (await fetch(`${world.url}/people/${waits.museId}`)).text();
    expect(page).toContain('applied, job closed');
    expect(filled).toEqual({ role_closed_at: (await roleOf(role)).role.closed_at, issued: filled.role_closed_at });
    await leaves.ok('end_hire', { hire, reason: 'No time for it.' });
    const reopened = await closedAt(role, waits);
    expect(reopened.role_closed_at).toBe(null);
    expect(reopened.issued).toBeGreaterThanOrEqual(filled.issued);
  });

  test('show when the role expired, from that moment on', async () => {
    const expires_at = world.now() + HOUR_MS;
    const role = await poster.postJob({ expires_at: String(expires_at) });
    await workers[0]!.ok('apply', { role, note: 'Gladly.' });
    expect((await closedAt(role, workers[0]!)).role_closed_at).toBe(null);
    await world.advance(HOUR_MS);
    expect(await closedAt(role, workers[0]!)).toEqual({ role_closed_at: expires_at, issued: expires_at });
  });
});
