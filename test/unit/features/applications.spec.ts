import { describe, expect, test } from '@jest/globals';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { applications } from '#libs/features/jobs/applications.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { Applications } from '#libs/features/jobs/views/applications.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import type { Fact } from '#libs/kernel/event.js';
import { asEvents } from '../../given.js';
import { refusalOf } from '../in-memory-stores.js';
import { benches } from '../documents/bench.js';
import * as world from './worlds.js';

const { HIRE, POSTER, ROLE, STRANGER, WORKER } = world;
const bench = benches();
const SECRET = 'The past tense, and nobody else may know.';

async function office(job = world.plainJob()) {
  const stores = bench();
  const models = stores.models(PROJECTIONS as never);
  await stores.project(PROJECTIONS as never, models);
  const write = (stream: string, ...facts: Fact[]) =>
    stores.journal.append(
      stream,
      'any',
      asEvents(facts, stream).map((event, at) => ({ ...event, id: `${stream}-${at}-${stores.log.events.length}` })),
    );
  await write(Job.streamName(ROLE), job);
  const apply = (muse: string, trial_answer: string | null) =>
    write(Application.streamName(ROLE, muse), world.told('Applied', { muse_id: muse, trial_answer }));
  const list = async (actor: string, more: object = {}) => {
    await models.waitForHead();
    const context = stores.request(actor);
    return applications.find({ role: ROLE, ...more }, context, { models, journal: stores.journal }, undefined as never);
  };
  return { stores, models, write, apply, list };
}

describe('the applications of a job', () => {
  test('are read by the poster, with trial answers', async () => {
    const { apply, list } = await office();
    await apply(WORKER, SECRET);
    await apply(STRANGER, null);
    const { applications } = (await list(POSTER)).body as { applications: unknown };
    expect(applications).toMatchObject([
      { muse_id: WORKER, note: 'I am fluent.', trial_answer: SECRET },
      { muse_id: STRANGER, trial_answer: null },
    ]);
  });

  test('are refused to any other muse, including the applicants', async () => {
    const { apply, list } = await office();
    await apply(WORKER, SECRET);
    for (const actor of [WORKER, STRANGER, SYSTEM_ACCOUNT_ID])
      expect(await refusalOf(list(actor))).toMatchObject({ code: 'not_the_poster' });
  });

  test('for a house role are read by the house', async () => {
    const { apply, list } = await office(world.houseJob());
    await apply(WORKER, SECRET);
    expect((await list(SYSTEM_ACCOUNT_ID)).body).toMatchObject({ applications: [{ trial_answer: SECRET }] });
    expect(await refusalOf(list(POSTER))).toMatchObject({ code: 'not_the_poster' });
  });

  test('for an unknown role are refused as not found', async () => {
    const { list } = await office();
    expect(await refusalOf(list(POSTER, { role: 'no-such-role' }))).toMatchObject({
      code: 'not_found',
      details: { field: 'role' },
    });
  });

  test('have the last trial answer, and none after a withdrawal', async () => {
    const { write, apply, list } = await office();
    await apply(WORKER, 'The first answer.');
    await apply(STRANGER, SECRET);
    await write(
      Application.streamName(ROLE, WORKER),
      world.told('ApplicationEdited', { trial_answer: 'The last answer.' }),
    );
    await write(Job.streamName(ROLE), world.told('Withdrawn', { role: ROLE, muse_id: STRANGER }));
    const { applications } = (await list(POSTER)).body as { applications: { muse_id: string }[] };
    expect(applications).toMatchObject([
      { muse_id: WORKER, status: 'applied', trial_answer: 'The last answer.' },
      { muse_id: STRANGER, status: 'withdrawn', trial_answer: null },
    ]);
    expect(JSON.stringify(applications)).not.toContain(SECRET);
  });

  test('store no trial answer in clear, in documents or in the log', async () => {
    const { stores, models, apply } = await office();
    await apply(WORKER, SECRET);
    await models.waitForHead();
    for (const projection of PROJECTIONS)
      expect(JSON.stringify(await models.of(projection).scan(1_000))).not.toContain(SECRET);
    expect((await models.of(Applications).scan(1_000)).length).toBe(1);
    expect(JSON.stringify(stores.log.events)).not.toContain(SECRET);
  });

  test('the applications of a job are paged in the order of arrival', async () => {
    const { apply, list } = await office();
    for (const muse of [WORKER, STRANGER]) await apply(muse, null);
    const first = (await list(POSTER, { limit: 1 })).body as { applications: object[]; next: string };
    const second = (await list(POSTER, { limit: 1, after: first.next })).body;
    expect([first.applications, second['applications']]).toMatchObject([
      [{ muse_id: WORKER }],
      [{ muse_id: STRANGER }],
    ]);
  });

  const edit = { note: 'Second.', note_commitment: '2'.repeat(64), note_salt: '3'.repeat(64) };
  const chosen = world.seatFilled();
  const hired = [Hire.streamName(HIRE), world.hired({ worker: WORKER })] as const;
  const edited = [
    Application.streamName(ROLE, WORKER),
    world.told('ApplicationEdited', { muse_id: WORKER, ...edit }),
  ] as const;
  const filled = [Job.streamName(ROLE), chosen] as const;
  test.each([
    ['after the seat was filled', [filled, edited, hired]],
    ['while the seat was being filled', [edited, filled, hired]],
  ])('edited %s keep the note of the hire, with its salt', async (_when, facts) => {
    const { models, write, apply } = await office();
    await apply(WORKER, null);
    for (const [stream, fact] of facts) await write(stream, fact);
    await models.waitForHead();
    const document = await models.of(Applications).get(`${ROLE}:${WORKER}`);
    const { note_commitment } = chosen.data as { note_commitment: string };
    expect(document!.body).toMatchObject({ status: 'hired', note: 'I am fluent.', note_commitment });
    expect(document!.body.hired_on).toMatchObject([{ hire: HIRE, note_salt: document!.body.note_salt }]);
    expect(document!.body.note_salt).not.toBe(edit.note_salt);
  });
});
