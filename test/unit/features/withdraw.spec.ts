import { describe, expect, test } from '@jest/globals';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { withdraw } from '#libs/features/jobs/withdraw.js';
import type { Fact } from '#libs/kernel/event.js';
import { asEvents, given, stateOf } from '../../given.js';
import { InMemoryStores, refusalOf } from '../in-memory-stores.js';
import { decides, running } from './deciding.js';
import * as world from './worlds.js';

const { POSTER, ROLE, STRANGER, WORKER } = world;
const asked = { role: ROLE };

const by = (actor: string, ...application: Fact[]) =>
  decides(withdraw, asked, actor, { reads: { application: stateOf(Application, ...application) } });

describe('withdrawing', () => {
  test('takes the one application back that stands', () => {
    const [fact] = given(Job, world.plainJob()).when(by(WORKER, world.applied())).thenTypes('Withdrawn');
    expect(fact!.data).toEqual({ role: ROLE, muse_id: WORKER, poster: POSTER, application: world.APPLICATION });
  });

  test('is possible on a closed role too', () => {
    given(Job, world.plainJob(), world.jobClosed()).when(by(WORKER, world.applied())).thenTypes('Withdrawn');
  });

  test('a role that does not exist has no applications', () => {
    given(Job).when(by(WORKER, world.applied())).thenRefused('not_found', 'role');
  });

  test('who has not applied has nothing to withdraw', () => {
    given(Job, world.plainJob()).when(by(STRANGER)).thenRefused('not_an_applicant');
  });

  test('what was withdrawn is not withdrawn again', () => {
    given(Job, world.plainJob(), world.withdrawn()).when(by(WORKER, world.applied())).thenRefused('not_an_applicant');
  });

  test('an application that was hired on is not withdrawn', () => {
    given(Job, world.plainJob({ seats: 2 }), world.seatFilled())
      .when(by(WORKER, world.applied()))
      .thenRefused('not_an_applicant');
  });

  test('who applied again after withdrawing withdraws the new application', () => {
    const again = { ...world.applied(), data: { ...(world.applied().data as object), item: 2_000_000_000_777 } };
    const [fact] = given(Job, world.plainJob(), world.withdrawn())
      .when(by(WORKER, world.applied(), again))
      .thenTypes('Withdrawn');
    expect(fact!.data).toMatchObject({ application: 2_000_000_000_777 });
  });
});

describe('carried out', () => {
  test('the same request twice withdraws once and answers the same; another one is refused', async () => {
    const stores = new InMemoryStores();
    const stream = Application.streamName(ROLE, WORKER);
    await stores.journal.append(Job.streamName(ROLE), 'none', asEvents([world.plainJob()], Job.streamName(ROLE)));
    await stores.journal.append(stream, 'none', asEvents([world.applied()], stream));
    const run = running(withdraw, stores);
    const request = stores.request(WORKER);
    const first = await run(asked, request);
    expect(await run(asked, request)).toEqual(first);
    expect(first.body).toEqual({ withdrawn: true });
    expect(stores.types(Job.streamName(ROLE))).toEqual(['JobPosted', 'Withdrawn']);
    expect(stores.log.of(Job.streamName(ROLE))[1]!.based_on).toEqual({ [stream]: 0 });
    const another = run(asked, stores.request(WORKER));
    expect(await refusalOf(another)).toMatchObject({ code: 'not_an_applicant' });
  });
});
