import { describe, expect, test } from '@jest/globals';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { Crew } from '#libs/features/crews/domain/crew.js';
import { apply } from '#libs/features/jobs/apply.js';
import { computeCommitment } from '#libs/kernel/commitment.js';
import type { Fact } from '#libs/kernel/event.js';
import { sha256Hex } from '#libs/kernel/ids.js';
import { CREW } from '../../vectors/event-story.js';
import { asEvents, given, NOW, stateOf } from '../../given.js';
import { InMemoryStores } from '../in-memory-stores.js';
import { decides, running } from './deciding.js';
import * as world from './worlds.js';

const { POSTER, ROLE, STRANGER, WORKER } = world;
const asked = { role: ROLE, note: 'I am fluent.' };

const to = (job: Fact[], changed: Partial<typeof asked> & { trial_answer?: string } = {}, actor = WORKER) =>
  decides(apply, { ...asked, ...changed }, actor, { reads: { job: stateOf(Job, ...job) } });

describe('applying', () => {
  test('records the note, the answer and the poster', () => {
    const [fact] = given(Application)
      .when(to([world.jobPosted()], { trial_answer: 'Past.' }))
      .thenTypes('Applied');
    expect(fact!.data).toMatchObject({ ...asked, muse_id: WORKER, poster: POSTER, trial_answer: 'Past.', crew: null });
  });

  test('works for a house role too', () => {
    given(Application)
      .when(to([world.houseJob()]))
      .thenTypes('Applied');
  });

  test('again edits an open application', () => {
    const again = { note: 'And patient.' };
    const [fact] = given(Application, world.applied())
      .when(to([world.plainJob()], again))
      .thenTypes('ApplicationEdited');
    expect(fact!.data).toMatchObject({ note: 'And patient.' });
  });

  test('is refused for an unknown role', () => {
    given(Application).when(to([])).thenRefused('not_found', 'role');
  });

  test('is refused for the muse’s own job', () => {
    given(Application)
      .when(to([world.plainJob()], {}, POSTER))
      .thenRefused('own_job');
  });

  test('is refused once hired, even if that hire closed the role', () => {
    const full = [world.plainJob(), world.seatFilled(), world.jobClosed('filled')];
    given(Application, world.applied()).when(to(full)).thenRefused('already_hired');
  });

  test('is refused on a closed role, also as an edit', () => {
    const closed = [world.plainJob(), world.jobClosed()];
    given(Application).when(to(closed)).thenRefused('role_closed');
    given(Application, world.applied()).when(to(closed)).thenRefused('role_closed');
  });

  test('is refused from the millisecond in which the role expires', () => {
    given(Application)
      .when(to([world.plainJob({ expires_at: NOW })]))
      .thenRefused('role_closed');
    given(Application)
      .when(to([world.plainJob({ expires_at: NOW + 1 })]))
      .thenTypes('Applied');
  });

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

  test('is refused without an answer to the trial question', () => {
    given(Application)
      .when(to([world.jobPosted()]))
      .thenRefused('trial_answer', 'trial_answer');
    given(Application)
      .when(to([world.jobPosted()], { trial_answer: '' }))
      .thenRefused('trial_answer', 'trial_answer');
  });

  test('as an edit keeps, clears or replaces the crew', () => {
    const withCrew = world.told('Applied', { muse_id: WORKER, crew: CREW });
    const edited = (fields: object) => {
      const crew =
        'crew' in fields && fields.crew ? stateOf(Crew, world.told('CrewCreated', { founder: WORKER })) : undefined;
      const reads = { job: stateOf(Job, world.plainJob()), crew };
      const asks = decides(apply, { ...asked, ...fields }, WORKER, { reads });
      return given(Application, withCrew).when(asks).thenTypes('ApplicationEdited')[0]!.data;
    };
    expect(edited({})).toMatchObject({ crew: CREW });
    expect(edited({ crew: null })).toMatchObject({ crew: null });
    expect(edited({ crew: 'another-crew' })).toMatchObject({ crew: 'another-crew' });
  });

  test('is refused for an unknown crew and for a crew without the applicant', () => {
    const withCrew = (...crew: Fact[]) => {
      const reads = { job: stateOf(Job, world.plainJob()), crew: stateOf(Crew, ...crew) };
      return given(Application).when(decides(apply, { ...asked, crew: CREW }, WORKER, { reads }));
    };
    withCrew().thenRefused('not_found', 'crew');
    withCrew(world.told('CrewCreated')).thenRefused('not_a_member', 'crew');
    const [fact] = withCrew(world.told('CrewCreated'), world.told('CrewJoined')).thenTypes('Applied');
    expect(fact!.data).toMatchObject({ crew: CREW });
  });
});

describe('the apply command', () => {
  async function storesWithJob() {
    const stores = new InMemoryStores();
    await stores.journal.append(Job.streamName(ROLE), 'none', asEvents([world.plainJob()], Job.streamName(ROLE)));
    return { stores, run: running(apply, stores, { journal: stores.journal }) };
  }

  test('writes once and returns the same response for a repeated request', async () => {
    const { stores, run } = await storesWithJob();
    const request = stores.request(WORKER);
    const first = await run(asked, request);
    expect(await run(asked, request)).toEqual(first);
    expect(first.body).toMatchObject({ role: ROLE, status: 'applied', edited: false });
    expect(stores.types(Application.streamName(ROLE, WORKER))).toEqual(['Applied']);
  });

  test('edits the application with another request', async () => {
    const { stores, run } = await storesWithJob();
    await run(asked, stores.request(WORKER));
    expect((await run(asked, stores.request(WORKER))).body).toMatchObject({ edited: true });
    expect((await run(asked, stores.request(STRANGER))).body).toMatchObject({ edited: false });
  });

  test('records the revision of the job in based_on', async () => {
    const { stores, run } = await storesWithJob();
    await run(asked, stores.request(WORKER, { basedOn: { [`muse-${WORKER}`]: 4 } }));
    const [event] = stores.log.of(Application.streamName(ROLE, WORKER));
    expect(event!.based_on).toEqual({ [`muse-${WORKER}`]: 4, [Job.streamName(ROLE)]: 0 });
  });
});
