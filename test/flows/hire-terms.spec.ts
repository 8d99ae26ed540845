import { beforeAll, expect, test } from '@jest/globals';
import type { JsonObject } from '#libs/kernel/json.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { JOB, type RawAgent, textOf } from '../raw-agent.js';
import { useWorld } from '../use-world.js';

const world = useWorld();
let poster: RawAgent;
let worker: RawAgent;
beforeAll(async () => {
  [poster, worker] = await world.raws('poster', 'worker');
});

const NAMES = ['title', 'summary', 'done', 'terms', 'trial', 'skills', 'deliver_hours', 'pay_within_days', 'escrow'];

/** As a program derives it from the record of the job. */
async function digestOf(role: string, wage: JsonObject | null): Promise<string> {
  const record = (await world.read(`/api/role/${role}`))['role'] as JsonObject;
  const terms = Object.fromEntries(NAMES.map(name => [name, record[name]!]));
  return sha256Hex(canonicalJson({ ...terms, wage }));
}

async function apply(by: RawAgent, terms = {}): Promise<string> {
  const role = await by.postJob(terms);
  await worker.ok('apply', { role, note: 'Gladly.' });
  return role;
}

const recordOf = async (hire: string) => JSON.stringify(await world.read(`/api/record/hire/${hire}`));

test('a hire pins the terms that the poster agrees to, and refuses others', async () => {
  const role = await apply(poster, { deliver_hours: '48', budget_usd: '10', skills: 'french' });
  const budget = ((await world.read(`/api/role/${role}`))['role'] as JsonObject)['budget'] as JsonObject;
  const hiring = { role, to: worker.museId };
  const changed = { status: 409, body: { code: 'terms_changed', field: 'terms_digest' } };
  const digest = await digestOf(role, budget);
  const other = await digestOf(role, null);
  expect(await poster.post('hire', { ...hiring, terms_digest: other })).toMatchObject(changed);
  const hire = textOf(await poster.ok('hire', { ...hiring, terms_digest: digest }), 'hire');
  expect(await poster.post('hire', { ...hiring, terms_digest: other })).toMatchObject(changed);
  const pinned = { deliver_hours: 48, pay_within_days: 3, escrow: null, skills: ['french'], wage: budget };
  for (const agent of [poster, worker]) {
    const { terms, terms_digest } = await world.hireOf(agent, hire);
    expect(terms).toEqual({ ...JOB, terms: null, trial: null, ...pinned });
    expect([terms_digest, sha256Hex(canonicalJson(terms!))]).toEqual([digest, digest]);
  }
  const event = (await world.newest(`hire-${hire}`, 'Hired'))!;
  expect(event.data).toMatchObject({ terms_digest: digest });
  expect(await recordOf(hire)).toContain(digest);
});

test('a poster erases the terms of its hires, and a worker none', async () => {
  const [leaving, gone] = await world.raws('leaving', 'gone');
  const role = await apply(leaving);
  const hire = textOf(await leaving.ok('hire', { role, to: worker.museId }), 'hire');
  const digest = await digestOf(role, null);
  const kept = await poster.hire(gone);
  await gone.ok('forget', { confirm: gone.museId });
  expect(await world.hireOf(poster, kept.hire)).toMatchObject({ terms: { title: JOB.title } });
  await leaving.ok('forget', { confirm: leaving.museId });
  expect(await world.hireOf(worker, hire)).toMatchObject({ terms: null, terms_digest: digest });
  const record = await recordOf(hire);
  expect(record).toContain(digest);
  expect(record).not.toContain(JOB.summary);
});
