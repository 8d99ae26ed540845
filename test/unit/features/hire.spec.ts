import type { ReadModels } from '#libs/documents/read-models.js';
import { describe, expect, jest, test } from '@jest/globals';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Hire as HireEntity } from '#libs/features/hires/domain/hire.js';
import { Linked } from '#libs/domain/link-events.js';
import { Muse } from '#libs/domain/muse.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { CompleteHire } from '#libs/features/hires/complete-hire.js';
import { hire } from '#libs/features/hires/hire.js';
import type { Fact } from '#libs/kernel/event.js';
import { IdCollision } from '#libs/kernel/ids.js';
import { asEvents, given, NOW, stateOf } from '../../given.js';
import { InMemoryStores } from '../in-memory-stores.js';
import { decides, running } from './deciding.js';
import * as world from './worlds.js';

const { HIRE, POSTER, ROLE, STRANGER, WORKER } = world;

interface Around {
  readonly worker?: Fact[];
  readonly application?: Fact[];
  readonly taken?: Fact[];
}

const by = (actor = POSTER, { application = [world.applied()], taken = [], worker = [] }: Around = {}) => {
  const reads = {
    application: stateOf(Application, ...application),
    taken: stateOf(HireEntity, ...taken),
    worker: stateOf(Muse, ...worker),
  };
  return decides(hire, { role: ROLE, to: WORKER }, actor, { reads, changed: { ids: { id: () => HIRE } } });
};

describe('hiring', () => {
  test('a hire names the job’s terms and the application it was made on', () => {
    const [seat] = given(Job, world.jobPosted({ seats: 2 }))
      .when(by())
      .thenTypes('SeatFilled');
    const on = {
      applied_at: NOW,
      note_commitment: (world.applied().data as { note_commitment: string }).note_commitment,
      crew: null,
    };
    expect(seat!.data).toMatchObject({
      role: ROLE,
      hire: HIRE,
      poster: POSTER,
      worker: WORKER,
      skills: ['french'],
      ...on,
    });
    expect(seat!.data).toMatchObject({ budget: { usd: '10', rail: 'usdc-base' } });
  });

  test('the last seat closes the role', () => {
    const [, closed] = given(Job, world.plainJob()).when(by()).thenTypes('SeatFilled', 'JobClosed');
    expect(closed!.data).toMatchObject({ role: ROLE, poster: POSTER, closed_reason: 'filled' });
  });

  test('hiring somebody twice changes nothing, also once the role is closed', () => {
    given(Job, world.plainJob({ seats: 2 }), world.seatFilled())
      .when(by())
      .thenNothing();
    given(Job, world.plainJob(), world.seatFilled(), world.jobClosed('filled')).when(by()).thenNothing();
  });

  test('nobody is hired for a role that does not exist', () => {
    given(Job).when(by()).thenRefused('not_found', 'role');
  });

  test('only the poster of a job hires for it', () => {
    given(Job, world.plainJob()).when(by(STRANGER)).thenRefused('not_the_poster');
    given(Job, world.houseJob()).when(by(STRANGER)).thenRefused('not_the_poster');
  });

  test('a full role cannot be hired for, and says that it is full rather than closed', () => {
    const full = [world.plainJob(), world.seatFilled(STRANGER), world.jobClosed('filled')];
    given(Job, ...full)
      .when(by())
      .thenRefused('no_seats');
  });

  test('a closed or expired role with seats left cannot be hired for', () => {
    given(Job, world.plainJob(), world.jobClosed()).when(by()).thenRefused('role_closed');
    given(Job, world.plainJob({ expires_at: NOW }))
      .when(by())
      .thenRefused('role_closed');
  });

  test('only an applicant can be hired', () => {
    given(Job, world.plainJob())
      .when(by(POSTER, { application: [] }))
      .thenRefused('not_an_applicant', 'to');
    const worker = [world.registered, world.joined, Linked({ muse_id: WORKER, to: STRANGER }) as Fact];
    given(Job, world.plainJob()).when(by(POSTER, { worker })).thenRefused('not_an_applicant', 'to');
  });

  test('a hire’s id that is somebody else’s is not used', () => {
    given(Job, world.plainJob())
      .when(by(POSTER, { taken: [world.hired()] }))
      .thenThrows(IdCollision);
  });
});

describe('the verb', () => {
  async function storesWithApplicants(...applicants: string[]) {
    const stores = new InMemoryStores();
    const write = (stream: string, fact: Fact) => stores.journal.append(stream, 'none', asEvents([fact], stream));
    await write(Job.streamName(ROLE), world.plainJob());
    for (const muse of applicants) await write(Application.streamName(ROLE, muse), world.applied(muse));
    // What was read of an application stands in the documents, and none has been read here.
    const models = { of: () => ({ get: async () => undefined }) } as unknown as ReadModels;
    const run = running(hire, stores, { completeHire: new CompleteHire(stores.journal), models });
    const hireBy = (actor: string, to: string) => run({ role: ROLE, to }, stores.request(actor));
    return { stores, run, hireBy };
  }

  const leaves = ({ journal }: InMemoryStores, stream = Muse.streamName(WORKER)) =>
    journal.append(stream, 'none', asEvents([world.registered, world.joined, world.forgotten()], stream));

  test('a hire fills the seat in the job’s stream, then opens its own with the seat’s authorization', async () => {
    const { stores, hireBy } = await storesWithApplicants(WORKER);
    const { body, position } = await hireBy(POSTER, WORKER);
    const [opened] = stores.log.of(HireEntity.streamName(body['hire'] as number));
    const seat = stores.log.of(Job.streamName(ROLE))[1]!;
    expect(stores.types(Job.streamName(ROLE))).toEqual(['JobPosted', 'SeatFilled', 'JobClosed']);
    expect(opened).toMatchObject({ type: 'Hired', cause: seat.id, at: seat.at, actor: POSTER, position });
    expect(opened!.authorization).toEqual(seat.authorization);
  });

  test('hired already: the same answer again, whatever the request', async () => {
    const { stores, hireBy } = await storesWithApplicants(WORKER);
    const first = await hireBy(POSTER, WORKER);
    expect(await hireBy(POSTER, WORKER)).toEqual(first);
    expect(stores.log.events.filter(({ type }) => type === 'Hired')).toHaveLength(1);
  });

  test('of two hires for one seat at once, one is made and the other finds no seat', async () => {
    const { stores, hireBy } = await storesWithApplicants(WORKER, STRANGER);
    const outcomes = await Promise.allSettled([hireBy(POSTER, WORKER), hireBy(POSTER, STRANGER)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(outcomes.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'no_seats' } });
    expect(stores.types(Job.streamName(ROLE))).toEqual(['JobPosted', 'SeatFilled', 'JobClosed']);
  });

  test('who has erased itself is not hired, also before its application is withdrawn', async () => {
    const { stores, hireBy } = await storesWithApplicants(WORKER);
    await leaves(stores);
    await expect(hireBy(POSTER, WORKER)).rejects.toMatchObject({ code: 'not_an_applicant' });
    expect(stores.types(Job.streamName(ROLE))).toEqual(['JobPosted']);
  });

  test('who was hired before it erased itself stays hired: the same answer again', async () => {
    const { stores, hireBy } = await storesWithApplicants(WORKER);
    const { body } = await hireBy(POSTER, WORKER);
    await leaves(stores);
    expect(await hireBy(POSTER, WORKER)).toMatchObject({ body });
  });

  test('a hire whose process died between the two streams is completed by the same request', async () => {
    const { stores, run } = await storesWithApplicants(WORKER);
    const sent = { role: ROLE, to: WORKER };
    const request = stores.request(POSTER);
    stores.log.faults.plan('append', null, 'lost');
    const { body } = await run(sent, request);
    const stream = HireEntity.streamName(body['hire'] as number);
    expect(stores.types(stream)).toEqual([]);
    expect((await run(sent, request)).body).toMatchObject({ hire: body['hire'] });
    expect(stores.types(stream)).toEqual(['Hired']);
  });

  test('the reaction and the handler write one and the same event', async () => {
    const { stores, hireBy } = await storesWithApplicants(WORKER);
    const { body } = await hireBy(POSTER, WORKER);
    const seat = (await stores.journal.read(Job.streamName(ROLE)))[1]!;
    await new CompleteHire(stores.journal).complete(seat as never);
    expect(stores.types(HireEntity.streamName(body['hire'] as number))).toEqual(['Hired']);
  });

  test('the reaction leaves what follows a seat to the command that has just filled it', async () => {
    const { stores } = await storesWithApplicants();
    const stream = Job.streamName(ROLE);
    const [seat] = await stores.journal.append(stream, 0, asEvents([world.seatFilled()], stream));
    const complete = new CompleteHire(stores.journal);
    const append = jest.spyOn(stores.log, 'append');
    const reaction = complete.react(seat as never);
    await new Promise(resolve => setTimeout(resolve, 20));
    await complete.complete(seat as never);
    await reaction;
    expect(append).toHaveBeenCalledTimes(1);
    expect(stores.types(HireEntity.streamName(HIRE))).toEqual(['Hired']);
  });

  test('a hire whose process died between the two streams is completed by the reaction', async () => {
    const { stores } = await storesWithApplicants();
    const stream = Job.streamName(ROLE);
    const [seat] = await stores.journal.append(stream, 0, asEvents([world.seatFilled()], stream));
    await new CompleteHire(stores.journal).react(seat as never);
    expect(stores.types(HireEntity.streamName(HIRE))).toEqual(['Hired']);
  });
});
