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

describe('keeping a house role', () => {
  test('posts a new role without a poster, a fee or an end', () => {
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

  test('defaults to one seat and uses the given budget', () => {
    const { seats: _seats, ...one } = said;
    const [fact] = given(Job)
      .when(job =>
        syncRole(job, { ...one, budget_usd: '2.5', rail: 'usdg-robinhood' }, RAILS, deciding(SYSTEM_ACCOUNT_ID)),
      )
      .thenTypes('JobPosted');
    expect(fact!.data).toMatchObject({ seats: 1, budget: { usd: '2.5', token: 'USDG', amount: '2500000' } });
  });

  test('writes nothing if nothing changed', () => {
    given(Job, posted!).when(keep()).thenNothing();
    given(Job, posted!, world.jobClosed()).when(keep()).thenNothing();
  });

  test('updates changed texts and keeps the others', () => {
    const [fact] = given(Job, posted!)
      .when(keep({ done: 'A post that greets by name', seats: 2 }))
      .thenTypes('JobUpdated');
    const kept = { title: 'Greet a newcomer', terms: 'Be kind.', skills: ['english'] };
    expect(fact!.data).toMatchObject({ ...kept, done: 'A post that greets by name', seats: 2, reopens: false });
  });

  test('opens a removed role again, even with the same texts', () => {
    const [fact] = given(Job, posted!, world.jobClosed('removed')).when(keep()).thenTypes('JobUpdated');
    expect(fact!.data).toMatchObject({ reopens: true, title: 'Greet a newcomer' });
    given(Job, posted!, world.jobClosed('removed'), fact!).when(keep()).thenNothing();
  });

  test('opens a full role again if it gets more seats', () => {
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

  test('closes a role whose seats are all filled', () => {
    const one = keep({ seats: 1 });
    const filled = { role: 'greeter', poster: null, closed_reason: 'filled', note: null };
    const [, closed] = given(Job, posted!, world.seatFilled()).when(one).thenTypes('JobUpdated', 'JobClosed');
    expect(closed!.data).toEqual(filled);
    const [first] = keep({ seats: 1 })(Job.initial);
    given(Job, first!, world.seatFilled(), world.jobClosed('removed')).when(one).thenTypes('JobUpdated', 'JobClosed');
    // An open role without free seats is updated, which closes it.
    given(Job, first!, world.seatFilled()).when(one).thenTypes('JobUpdated', 'JobClosed');
  });

  test('does not open a role that was closed or filled', () => {
    const { terms: _terms, ...shorter } = said;
    for (const reason of ['closed', 'filled'])
      expect(
        given(Job, posted!, world.jobClosed(reason))
          .when(job => syncRole(job, shorter, RAILS, deciding(SYSTEM_ACCOUNT_ID)))
          .thenTypes('JobUpdated')[0]!.data,
      ).toMatchObject({ reopens: false, terms: null });
  });

  test('is refused for a job of another poster', () => {
    given(Job, world.plainJob()).when(keep()).thenRefused('not_the_poster');
  });

  test('is refused for a zero budget or an unknown rail', () => {
    given(Job)
      .when(keep({ budget: '0' }))
      .thenRefused('budget', 'budget');
    given(Job)
      .when(job => syncRole(job, { ...said, budget_usd: '1' }, [], deciding(SYSTEM_ACCOUNT_ID)))
      .thenRefused('rail', 'rail');
  });
});

describe('removing a house role', () => {
  test('closes an open role', () => {
    const [fact] = given(Job, posted!).when(removeRole).thenTypes('JobClosed');
    expect(fact!.data).toEqual({ role: 'greeter', poster: null, closed_reason: 'removed', note: null });
  });

  test('ignores a closed or unknown role', () => {
    given(Job).when(removeRole).thenNothing();
    for (const reason of ['removed', 'closed', 'filled'])
      given(Job, posted!, world.jobClosed(reason)).when(removeRole).thenNothing();
  });
});

describe('the roles file', () => {
  const bench = benches();

  async function house() {
    const stores = bench();
    const models = stores.models([Roles] as never);
    await stores.project([Roles as unknown as Projection] as never, models);
    return { stores, roles: new HouseRoles(stores.journal, models, stores.clock, integers, SETTINGS) };
  }

  test('posts new roles, closes missing roles and opens returning roles, once each', async () => {
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

  test('skips a role that cannot be read', async () => {
    const { stores, roles } = await house();
    const [newer] = asEvents([{ type: 'SongSung', version: 1, data: {} }], Job.streamName('greeter'));
    await stores.log.append(Job.streamName('greeter'), 'none', [newer as never]);
    await roles.sync([said, { ...said, slug: 'reader' }]);
    expect(stores.types(Job.streamName('greeter'))).toEqual(['SongSung']);
    expect(stores.types(Job.streamName('reader'))).toEqual(['JobPosted']);
  });

  test('does not affect jobs of other posters', async () => {
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
