import { describe, expect, test } from '@jest/globals';
import { Job } from '#libs/features/jobs/domain/job.js';
import { syncRole, removeRole, HouseRoles } from '#libs/features/jobs/house-roles.js';
import type { HouseRole } from '#libs/features/jobs/roles-file.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import type { Projection } from '#libs/kernel/projection.js';
import { RAILS } from '#libs/payments/rails.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { asEvents, integers } from '../../given.js';
import { benches } from '../documents/bench.js';
import { deciding, testDecisions, testRefusals } from './deciding.js';
import { SETTINGS } from './purchases.js';
import * as world from './worlds.js';

const entry: HouseRole = {
  slug: 'greeter',
  title: 'Greet a newcomer',
  summary: 'Say hello to somebody who has just joined.',
  done: 'A post that greets',
  terms: 'Be kind.',
  skills: ['english'],
  seats: 3,
};
const keeping =
  (role: HouseRole, rails = RAILS) =>
  (job: Job) =>
    syncRole(job, role, rails, deciding(SYSTEM_ACCOUNT_ID));
const keep = (changed: Partial<HouseRole> = {}) => keeping({ ...entry, ...changed });
const { seats: _seats, ...oneSeat } = entry;
const { terms: _terms, ...withoutTerms } = entry;
const posted = keep()(Job.initial);
const single = keep({ seats: 1 })(Job.initial);
const closed = (reason?: string) => [...posted, world.jobClosed(reason)];
const full = [...single, world.seatFilled(), world.jobClosed('filled')];
const reopened = world.told('JobUpdated', { role: 'greeter', ...entry, trial: null, budget: null, reopens: true });

describe('keeping a house role', () => {
  const { slug: role, ...texts } = entry;
  const unset = { poster: null, payment: null, budget: null, expires_at: null };
  const usual = {
    JobPosted: { role, ...texts, ...unset, trial: null, item: expect.any(Number) },
    JobUpdated: { role, ...texts },
    JobClosed: { role, poster: null },
  };
  const paid = { budget_usd: '2.5', rail: 'usdg-robinhood' } as const;
  const budget = { usd: '2.5', token: 'USDG', amount: '2500000', rail: paid.rail, network: 'eip155:4663' };
  const shorter = { JobUpdated: { terms: null } };
  const closes = { JobUpdated: { seats: 1 }, JobClosed: {} };
  testDecisions(Job, usual, [
    ['posts a new role without a poster, a fee or an end', [], keep(), { JobPosted: {} }],
    [
      'defaults to one seat and uses the given budget',
      [],
      keeping({ ...oneSeat, ...paid }),
      { JobPosted: { seats: 1, budget, pay_within_days: 3 } },
    ],
    ['writes nothing if nothing changed', posted, keep(), {}],
    ['writes nothing for a role that was closed by hand', closed(), keep(), {}],
    [
      'updates changed texts and keeps the others',
      posted,
      keep({ done: 'A post that greets by name', seats: 2 }),
      { JobUpdated: { done: 'A post that greets by name', seats: 2 } },
    ],
    ['opens a removed role again', closed('removed'), keep(), { JobUpdated: { reopens: true } }],
    ['opens a removed role once', [...closed('removed'), reopened], keep(), {}],
    ['opens a full role that gets more seats', full, keep(), { JobUpdated: { reopens: true } }],
    ['keeps a full role closed', full, keep({ seats: 1 }), {}],
    ['closes a role that loses its free seats', [...posted, world.seatFilled()], keep({ seats: 1 }), closes],
    [
      'opens and closes a removed role without free seats',
      [...single, world.seatFilled(), world.jobClosed('removed')],
      keep({ seats: 1 }),
      { ...closes, JobUpdated: { seats: 1, reopens: true } },
    ],
    ['closes an open role without free seats', [...single, world.seatFilled()], keep({ seats: 1 }), closes],
    ['updates a role that was closed', closed('closed'), keeping(withoutTerms), shorter],
    ['updates a role that was filled', closed('filled'), keeping(withoutTerms), shorter],
  ]);

  testRefusals(Job, [
    ['for a job of another poster', [world.plainJob()], keep(), 'not_the_poster'],
    ['for a zero budget', [], keep({ budget: '0' }), 'budget', 'budget'],
    ['for an unknown rail', [], keeping({ ...entry, budget_usd: '1' }, []), 'rail', 'rail'],
  ]);
});

describe('removing a house role', () => {
  const removed = { role: 'greeter', poster: null, closed_reason: 'removed', note: null };
  testDecisions(Job, {}, [
    ['closes an open role', posted, removeRole, { JobClosed: removed }],
    ['ignores an unknown role', [], removeRole, {}],
    ['ignores a removed role', closed('removed'), removeRole, {}],
    ['ignores a role that was closed by hand', closed('closed'), removeRole, {}],
    ['ignores a full role', closed('filled'), removeRole, {}],
  ]);
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
    await roles.sync([entry]);
    await roles.sync([entry]);
    expect(story()).toEqual(['JobPosted']);
    await roles.sync([]);
    await roles.sync([]);
    expect(story()).toEqual(['JobPosted', 'JobClosed']);
    await roles.sync([entry]);
    expect(story()).toEqual(['JobPosted', 'JobClosed', 'JobUpdated']);
    expect(stores.log.events[0]).toMatchObject({ actor: SYSTEM_ACCOUNT_ID, authorization: { mode: 'operator' } });
  });

  test('skips a role that cannot be read', async () => {
    const { stores, roles } = await house();
    const [newer] = asEvents([{ type: 'SongSung', version: 1, data: {} }], Job.streamName('greeter'));
    await stores.log.append(Job.streamName('greeter'), 'none', [newer as never]);
    await roles.sync([entry, { ...entry, slug: 'reader' }]);
    expect(stores.types(Job.streamName('greeter'))).toEqual(['SongSung']);
    expect(stores.types(Job.streamName('reader'))).toEqual(['JobPosted']);
  });

  test('does not affect jobs of other posters', async () => {
    const { stores, roles } = await house();
    await stores.append(Job.streamName(world.ROLE), world.plainJob());
    await roles.sync([]);
    expect(stores.types(Job.streamName(world.ROLE))).toEqual(['JobPosted']);
  });
});
