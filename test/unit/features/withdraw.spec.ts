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

describe('withdrawing an application', () => {
  test('withdraws the active application', () => {
    const [fact] = given(Job, world.plainJob()).when(by(WORKER, world.applied())).thenTypes('Withdrawn');
    expect(fact!.data).toEqual({ role: ROLE, muse_id: WORKER, poster: POSTER, application: world.APPLICATION });
  });

  test('works on a closed job', () => {
    given(Job, world.plainJob(), world.jobClosed()).when(by(WORKER, world.applied())).thenTypes('Withdrawn');
  });

  test('rejects an unknown job', () => {
    given(Job).when(by(WORKER, world.applied())).thenRefused('not_found', 'role');
  });

  test('rejects a muse that has not applied', () => {
    given(Job, world.plainJob()).when(by(STRANGER)).thenRefused('not_an_applicant');
  });

  test('rejects a second withdrawal', () => {
    given(Job, world.plainJob(), world.withdrawn()).when(by(WORKER, world.applied())).thenRefused('not_an_applicant');
  });

  test('rejects an application that led to a hire', () => {
    given(Job, world.plainJob({ seats: 2 }), world.seatFilled())
      .when(by(WORKER, world.applied()))
      .thenRefused('not_an_applicant');
  });

  test('withdraws the newest application after the muse has applied again', () => {
    const again = { ...world.applied(), data: { ...(world.applied().data as object), item: 2_000_000_000_777 } };
    const [fact] = given(Job, world.plainJob(), world.withdrawn())
      .when(by(WORKER, world.applied(), again))
      .thenTypes('Withdrawn');
    expect(fact!.data).toMatchObject({ application: 2_000_000_000_777 });
  });
});

describe('a withdrawal request', () => {
  test('withdraws once when it is repeated; a second request is rejected', async () => {
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
