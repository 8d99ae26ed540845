import { describe, expect, test } from '@jest/globals';
import { Job } from '#libs/features/jobs/domain/job.js';
import { expire, JobExpiry } from '#libs/features/jobs/job-expiry.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { Roles } from '#libs/features/jobs/views/roles.js';
import { asEvents, NOW } from '../../given.js';
import { benches } from '../documents/bench.js';
import { testDecisions } from './deciding.js';
import * as world from './worlds.js';

const now = (job: Job) => expire(job, NOW);

const expiring = (expires_at: number | null) => [world.plainJob({ expires_at })];
const closed = (reason: string) => [...expiring(NOW), world.jobClosed(reason)];
const reopened = [...expiring(NOW), world.seatFilled(), world.jobClosed('filled'), world.seatFreed(true)];

describe('the expiry of a job', () => {
  testDecisions(Job, { JobClosed: { closed_reason: 'expired', seats_left: 1 } }, [
    ['closes the job as expired', expiring(NOW), now, { JobClosed: {} }],
    ['waits for the last millisecond', expiring(NOW + 1), now, {}],
    ['closes a job that a freed seat opened again', reopened, now, { JobClosed: {} }],
    ['ignores a job that its poster closed', closed('closed'), now, {}],
    ['ignores a full job', closed('filled'), now, {}],
    ['ignores an expired job', closed('expired'), now, {}],
    ['ignores a job without an end', expiring(null), now, {}],
    ['ignores an unknown job', [], now, {}],
  ]);
});

describe('an expiry pass', () => {
  const bench = benches();

  async function withJobs(...times: (number | null)[]) {
    const stores = bench();
    const models = stores.models([Roles] as never);
    await stores.project([Roles] as never, models);
    for (const [at, expires_at] of times.entries()) {
      const role = `job-${at}`;
      const [event] = asEvents([world.plainJob({ role, expires_at })], Job.streamName(role));
      await stores.journal.append(Job.streamName(role), 'none', [{ ...event!, id: role }]);
    }
    await models.waitForHead();
    return { stores, models, expiry: new JobExpiry(models, stores.commands) };
  }

  test('closes expired jobs and no others', async () => {
    const { stores, expiry } = await withJobs(NOW, null, NOW + DAY_MS, NOW - DAY_MS);
    await expiry.pass();
    const stories = [0, 1, 2, 3].map(at => stores.types(Job.streamName(`job-${at}`)).length);
    expect(stories).toEqual([2, 1, 1, 2]);
    const [, closed] = stores.log.of(Job.streamName('job-0'));
    expect(closed).toMatchObject({ type: 'JobClosed', actor: 'service', at: stores.clock.now() });
  });

  test('closes a job once, across repeated and concurrent passes', async () => {
    const { stores, models, expiry } = await withJobs(NOW);
    await Promise.all([expiry.pass(), expiry.pass()]);
    await expiry.pass();
    await models.waitForHead();
    await expiry.pass();
    expect(stores.types(Job.streamName('job-0'))).toEqual(['JobPosted', 'JobClosed']);
  });

  test('skips a job that cannot be read', async () => {
    const { stores, expiry } = await withJobs(NOW - DAY_MS, NOW);
    const [newer] = asEvents([{ type: 'SongSung', version: 1, data: {} }], Job.streamName('job-0'));
    await stores.log.append(Job.streamName('job-0'), 'any', [{ ...newer!, id: 'newer' } as never]);
    await expiry.pass();
    expect(stores.types(Job.streamName('job-0'))).toEqual(['JobPosted', 'SongSung']);
    expect(stores.types(Job.streamName('job-1'))).toEqual(['JobPosted', 'JobClosed']);
  });

  test('is not delayed by roles that never expire', async () => {
    const { stores, expiry } = await withJobs(...Array.from({ length: 120 }, () => null), NOW);
    await expiry.pass();
    expect(stores.types(Job.streamName('job-120'))).toEqual(['JobPosted', 'JobClosed']);
  });
});
