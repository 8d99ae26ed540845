import { describe, expect, test } from '@jest/globals';
import { Job } from '#libs/features/jobs/domain/job.js';
import { syncRole, removeRole } from '#libs/features/jobs/house-role.js';
import { HouseRoles } from '#libs/features/jobs/house-roles.js';
import type { HouseRole } from '#libs/features/jobs/roles-file.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import type { Projection } from '#libs/kernel/projection.js';
import { RAILS } from '#libs/payments/rails.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { asEvents, given, integers } from '../../given.js';
import { benches } from '../documents/bench.js';
import { deciding } from './deciding.js';
import { SETTINGS } from './purchases.js';
import * as world from './worlds.js';

const said: HouseRole = {
  slug: 'greeter',
  title: 'Greet a newcomer',
  summary: 'Say hello to somebody who has just joined.',
  done: 'A post that greets',
  terms: 'Be kind.',
  skills: ['english'],
  seats: 3,
};
const keep =
  (changed: Partial<HouseRole> = {}) =>
  (job: Job) =>
    syncRole(job, { ...said, ...changed }, RAILS, deciding(SYSTEM_ACCOUNT_ID));
const [posted] = keep()(Job.initial);

describe('keeping a role of the house', () => {
  test('posts one that there is not, without a poster, a fee or an end', () => {
    const [fact] = given(Job).when(keep()).thenTypes('JobPosted');
    const told = { role: 'greeter', title: 'Greet a newcomer', trial: null, terms: 'Be kind.', skills: ['english'] };
    expect(fact!.data).toMatchObject({
      ...told,
      seats: 3,
      poster: null,
      payment: null,
      budget: null,
      expires_at: null,
    });
  });

  test('has one seat unless it says otherwise, and the budget that it says', () => {
    const { seats: _seats, ...one } = said;
    const [fact] = given(Job)
      .when(job =>
        syncRole(job, { ...one, budget_usd: '2.5', rail: 'usdg-robinhood' }, RAILS, deciding(SYSTEM_ACCOUNT_ID)),
      )
      .thenTypes('JobPosted');
    expect(fact!.data).toMatchObject({ seats: 1, budget: { usd: '2.5', token: 'USDG', amount: '2500000' } });
  });

  test('writes nothing where nothing changed', () => {
    given(Job, posted!).when(keep()).thenNothing();
    given(Job, posted!, world.jobClosed()).when(keep()).thenNothing();
  });

  test('says what one says now, and keeps what nobody changed', () => {
    const [fact] = given(Job, posted!)
      .when(keep({ done: 'A post that greets by name', seats: 2 }))
      .thenTypes('JobUpdated');
    const kept = { title: 'Greet a newcomer', terms: 'Be kind.', skills: ['english'] };
    expect(fact!.data).toMatchObject({ ...kept, done: 'A post that greets by name', seats: 2, reopens: false });
  });

  test('opens one again that had been removed, also with the same words', () => {
    const [fact] = given(Job, posted!, world.jobClosed('removed')).when(keep()).thenTypes('JobUpdated');
    expect(fact!.data).toMatchObject({ reopens: true, title: 'Greet a newcomer' });
    given(Job, posted!, world.jobClosed('removed'), fact!).when(keep()).thenNothing();
  });

  test('opens a full one again where it says more seats', () => {
    const filled = [world.seatFilled(), world.jobClosed('filled')];
    const [one] = keep({ seats: 1 })(Job.initial);
    const [fact] = given(Job, one!, ...filled)
      .when(keep())
      .thenTypes('JobUpdated');
    expect(fact!.data).toMatchObject({ reopens: true, seats: 3 });
    given(Job, one!, ...filled)
      .when(keep({ seats: 1 }))
      .thenNothing();
  });

  test('closes one that has no more seats than are filled, and opens none like that', () => {
    const one = keep({ seats: 1 });
    const filled = { role: 'greeter', poster: null, closed_reason: 'filled', note: null };
    const [, closed] = given(Job, posted!, world.seatFilled()).when(one).thenTypes('JobUpdated', 'JobClosed');
    expect(closed!.data).toEqual(filled);
    const [first] = keep({ seats: 1 })(Job.initial);
    given(Job, first!, world.seatFilled(), world.jobClosed('removed')).when(one).thenTypes('JobUpdated', 'JobClosed');
    // One that an earlier version left open says its terms once more, which is what is decided on.
    given(Job, first!, world.seatFilled()).when(one).thenTypes('JobUpdated', 'JobClosed');
  });

  test('opens none that was closed or filled', () => {
    const { terms: _terms, ...shorter } = said;
    for (const reason of ['closed', 'filled'])
      expect(
        given(Job, posted!, world.jobClosed(reason))
          .when(job => syncRole(job, shorter, RAILS, deciding(SYSTEM_ACCOUNT_ID)))
          .thenTypes('JobUpdated')[0]!.data,
      ).toMatchObject({ reopens: false, terms: null });
  });

  test('somebody’s job is none of the house, whatever the file says', () => {
    given(Job, world.plainJob()).when(keep()).thenRefused('not_the_poster');
  });

  test('a budget of zero or on a rail that there is not is refused', () => {
    given(Job)
      .when(keep({ budget: '0' }))
      .thenRefused('budget', 'budget');
    given(Job)
      .when(job => syncRole(job, { ...said, budget_usd: '1' }, [], deciding(SYSTEM_ACCOUNT_ID)))
      .thenRefused('rail', 'rail');
  });
});

describe('removing a role of the house', () => {
  test('closes one that is open', () => {
    const [fact] = given(Job, posted!).when(removeRole).thenTypes('JobClosed');
    expect(fact!.data).toEqual({ role: 'greeter', poster: null, closed_reason: 'removed', note: null });
  });

  test('leaves one that is closed, or never was, as it is', () => {
    given(Job).when(removeRole).thenNothing();
    for (const reason of ['removed', 'closed', 'filled'])
      given(Job, posted!, world.jobClosed(reason)).when(removeRole).thenNothing();
  });
});

describe('the file', () => {
  const bench = benches();

  async function house() {
    const stores = bench();
    const models = stores.models([Roles] as never);
    await stores.project([Roles as unknown as Projection] as never, models);
    return { stores, roles: new HouseRoles(stores.journal, models, stores.clock, integers, SETTINGS) };
  }

  test('is kept: twice changes nothing, a role that it does not name any more is closed, one that is back is open', async () => {
    const { stores, roles } = await house();
    const story = () => stores.types(Job.streamName('greeter'));
    await roles.sync([said]);
    await roles.sync([said]);
    expect(story()).toEqual(['JobPosted']);
    await roles.sync([]);
    await roles.sync([]);
    expect(story()).toEqual(['JobPosted', 'JobClosed']);
    await roles.sync([said]);
    expect(story()).toEqual(['JobPosted', 'JobClosed', 'JobUpdated']);
    expect(stores.log.events[0]).toMatchObject({ actor: SYSTEM_ACCOUNT_ID, authorization: { mode: 'operator' } });
  });

  test('leaves a role as it is that cannot be read, and keeps the others', async () => {
    const { stores, roles } = await house();
    const [newer] = asEvents([{ type: 'SongSung', version: 1, data: {} }], Job.streamName('greeter'));
    await stores.log.append(Job.streamName('greeter'), 'none', [newer as never]);
    await roles.sync([said, { ...said, slug: 'reader' }]);
    expect(stores.types(Job.streamName('greeter'))).toEqual(['SongSung']);
    expect(stores.types(Job.streamName('reader'))).toEqual(['JobPosted']);
  });

  test('has no say in the jobs of others', async () => {
    const { stores, roles } = await house();
    await stores.journal.append(
      Job.streamName(world.ROLE),
      'none',
      asEvents([world.plainJob()], Job.streamName(world.ROLE)),
    );
    await roles.sync([]);
    expect(stores.types(Job.streamName(world.ROLE))).toEqual(['JobPosted']);
  });
});
