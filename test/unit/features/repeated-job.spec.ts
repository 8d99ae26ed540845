import { describe, expect, test } from '@jest/globals';
import { Job } from '#libs/features/jobs/domain/job.js';
import { completeJob, jobFields } from '#libs/features/jobs/job-terms.js';
import { job } from '#libs/features/jobs/post-job.js';
import type { Fact, RequestFields } from '#libs/kernel/event.js';
import { parseFields } from '#libs/validation/request-class.js';
import { parseFieldValues } from '#libs/validation/request-fields.js';
import { DecisionExpectation, stateOf } from '../../given.js';
import { InMemoryStores } from '../in-memory-stores.js';
import { running } from './deciding.js';
import { FakePayments, SETTINGS } from './purchases.js';
import * as world from './worlds.js';

const { POSTER, ROLE } = world;
const fields = { title: 'Translate a page', summary: 'One page of a manual, into French.', done: 'A page in French' };
const asking = (check: () => unknown) => new DecisionExpectation(() => (check(), [] as Fact[]));

describe('a job that repeats another one', () => {
  const TERMS = { ...fields, trial: 'Why?', terms: 'Fair.', skills: ['ocr'], deliver_hours: 24, seats: 3 };
  const UNPAID = { pay_within_days: null };
  const before = stateOf(Job, world.plainJob(TERMS)) as Exclude<Job, { status: 'unknown' }>;
  const repeating = (changed: RequestFields, again: Job = before, by = POSTER) =>
    completeJob(parseFieldValues(jobFields, { again_of: ROLE, ...changed }), again, [by]);

  test('takes each term of an own job that the request leaves out', () => {
    expect(repeating({})).toEqual({ again_of: ROLE, ...TERMS, ...UNPAID });
    const changed = { title: 'New title', trial: '', skills: '' };
    const cleared = { title: 'New title', trial: null, skills: null };
    expect(repeating(changed)).toEqual({ again_of: ROLE, ...TERMS, ...UNPAID, ...cleared });
  });

  test('takes wage, seats and rail of an own job into the fee unless they are sent', async () => {
    const budget = { amount: '2000000', usd: '2', token: 'USDG', rail: 'usdg-robinhood', network: 'eip155:4663' };
    const stores = await InMemoryStores.with(Job.streamName(ROLE), world.plainJob({ budget, seats: 2 }));
    const payments = new FakePayments();
    const repeat = (more: RequestFields) =>
      running(
        job,
        stores,
        { journal: stores.journal, settings: SETTINGS },
        payments,
      )({ again_of: ROLE, ...more }, stores.request(POSTER));
    await repeat({});
    await repeat({ budget_usd: '10' });
    await repeat({ seats: '1', rail: 'usdc-base' });
    expect(payments.sold.map(({ amount, rails }) => [amount, rails[0]!.name])).toEqual([
      [200_000n, 'usdg-robinhood'],
      [1_000_000n, 'usdg-robinhood'],
      [100_000n, 'usdc-base'],
    ]);
    expect(await repeat({ budget: '' })).toMatchObject({ body: { paid: false } });
  });

  test("refuses to repeat another muse's job or erased texts", () => {
    const texts = { title: null, summary: null, done: null, trial: null, terms: null };
    const erased = { ...before, terms: { ...before.terms, ...texts } };
    asking(() => repeating({}, before, world.WORKER)).thenRefused('not_the_poster', 'again_of');
    asking(() => repeating({ title: 'New title' }, erased)).thenRefused('texts_erased', 'again_of');
    expect(repeating(fields, erased)).toMatchObject({ ...fields, trial: null, terms: null });
  });

  test('needs its texts unless it repeats a job', () => {
    asking(() => parseFields(job.request, { title: 'A title' })).thenRefused('summary', 'summary');
    expect(parseFields(job.request, { again_of: ROLE }).values).toEqual({ again_of: ROLE });
  });
});
