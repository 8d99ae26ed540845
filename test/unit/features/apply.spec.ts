import { describe, expect, test } from '@jest/globals';
import { Muse } from '#libs/domain/muse.js';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { Reach } from '#libs/features/blocks/public.js';
import { Crew } from '#libs/features/crews/domain/crew.js';
import { NO_ASK } from '#libs/features/jobs/ask.js';
import { apply } from '#libs/features/jobs/apply.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import type { Fact } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { CREW } from '../../vectors/event-story.js';
import { given, NOW, stateOf } from '../../given.js';
import { InMemoryStores } from '../in-memory-stores.js';
import { decides, running, testDecisions, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const { POSTER, ROLE, STRANGER, WORKER } = world;
const fields = { role: ROLE, note: 'I am fluent.' };

const to = (job: Fact[], changed: Partial<typeof fields> & { trial_answer?: string } = {}, actor = WORKER) =>
  decides(apply, { ...fields, ...changed }, actor, { reads: { job: stateOf(Job, ...job) } });
const open = [world.plainJob()];
const closed = [...open, world.jobClosed()];
const hired = [...open, world.seatFilled(), world.jobClosed('filled')];
const expiring = (expires_at: number) => [world.plainJob({ expires_at })];
const withTrial = [world.jobPosted()];
const earlier = [world.applied()];
const salted = {
  note_commitment: expect.stringMatching(/^[0-9a-f]{64}$/),
  note_salt: expect.stringMatching(/^[0-9a-f]{64}$/),
  trial_answer: null,
  ...NO_ASK,
};
const usual = { Applied: { ...salted, item: expect.any(Number) }, ApplicationEdited: salted };

describe('applying', () => {
  const answer = { trial_answer: 'Past.' };
  testDecisions(Application, usual, [
    ['records the note, the answer and the poster', [], to(withTrial, answer), { Applied: answer }],
    ['works for a house role too', [], to([world.houseJob()]), { Applied: { poster: null } }],
    ['works to the last millisecond of the role', [], to(expiring(NOW + 1)), { Applied: {} }],
    [
      'again edits an open application',
      earlier,
      to(open, { note: 'And patient.' }),
      { ApplicationEdited: { note: 'And patient.' } },
    ],
  ]);

  testRefusals(Application, [
    ['for an unknown role', [], to([]), 'not_found', 'role'],
    ['for the muse’s own job', [], to(open, {}, POSTER), 'own_job'],
    ['once hired, even if that hire closed the role', earlier, to(hired), 'already_hired'],
    ['on a closed role', [], to(closed), 'role_closed'],
    ['on a closed role, also as an edit', earlier, to(closed), 'role_closed'],
    ['from the millisecond in which the role expires', [], to(expiring(NOW)), 'role_closed'],
    ['without an answer to the trial question', [], to(withTrial), 'trial_answer', 'trial_answer'],
    ['for an empty answer', [], to(withTrial, { trial_answer: '' }), 'trial_answer', 'trial_answer'],
  ]);

  test('records a commitment to the note, with a salt that a repetition makes again', () => {
    const [one] = given(Application)
      .when(to([world.plainJob()]))
      .thenTypes('Applied');
    const { note_commitment, note_salt: salt, note } = one!.data as { [name: string]: string };
    expect(salt).toMatch(/^[0-9a-f]{64}$/);
    expect(note_commitment).toBe(computeCommitment(salt!, note!));
    expect(note_commitment).not.toBe(sha256Hex(note!));
    given(Application)
      .when(to([world.plainJob()]))
      .then(one!);
  });
});

describe('applying with a crew', () => {
  const founded = [world.told('CrewCreated')];
  const joined = [...founded, world.told('CrewJoined')];
  const withCrew = (crew: string | null | undefined, ...facts: Fact[]) => {
    const reads = { job: stateOf(Job, ...open), crew: crew ? stateOf(Crew, ...facts) : undefined };
    const sent = { ...fields, ...(crew !== undefined && { crew }) };
    return decides(apply, sent as typeof fields, WORKER, { reads });
  };
  const applied = [world.told('Applied', { muse_id: WORKER, crew: CREW })];
  testDecisions(Application, usual, [
    ['names it', [], withCrew(CREW, ...joined), { Applied: { crew: CREW } }],
    ['an edit keeps it', applied, withCrew(undefined), { ApplicationEdited: { crew: CREW } }],
    ['an edit clears it', applied, withCrew(null), { ApplicationEdited: { crew: null } }],
    [
      'an edit replaces it',
      applied,
      withCrew('another-crew', ...joined),
      { ApplicationEdited: { crew: 'another-crew' } },
    ],
  ]);

  testRefusals(Application, [
    ['for an unknown crew', [], withCrew(CREW), 'not_found', 'crew'],
    ['for a crew without the applicant', [], withCrew(CREW, ...founded), 'not_a_member', 'crew'],
  ]);
});

describe('the apply command', () => {
  async function storesWithJob() {
    const stores = await InMemoryStores.with(Job.streamName(ROLE), world.plainJob());
    return { stores, run: running(apply, stores, { journal: stores.journal, reach: new Reach(stores.journal) }) };
  }

  test('edits the application with another request', async () => {
    const { stores, run } = await storesWithJob();
    await run(fields, stores.request(WORKER));
    expect((await run(fields, stores.request(WORKER))).body).toMatchObject({ edited: true });
    expect((await run(fields, stores.request(STRANGER))).body).toMatchObject({ edited: false });
  });

  test('records the revision of the job in based_on', async () => {
    const { stores, run } = await storesWithJob();
    await run(fields, stores.request(WORKER));
    const [event] = stores.log.of(Application.streamName(ROLE, WORKER));
    expect(event!.based_on).toEqual({ [Muse.streamName(WORKER)]: 1, [Job.streamName(ROLE)]: 0 });
  });
});
