import { describe, expect, test } from '@jest/globals';
import { Job } from '#libs/features/jobs/domain/job.js';
import { Payment } from '#libs/domain/payment.js';
import { parseFieldValues } from '#libs/validation/request-fields.js';
import { parseFields } from '#libs/validation/request-class.js';
import { expiryOf, feeOf, jobFields } from '#libs/features/jobs/job-terms.js';
import { job } from '#libs/features/jobs/post-job.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import type { Fact, RequestFields } from '#libs/kernel/event.js';
import { IdCollision } from '#libs/kernel/ids.js';
import type { SettledPaymentState } from '#libs/payments/purchase.js';
import { RAILS } from '#libs/payments/rails.js';
import { commandContext, given, NOW, DecisionExpectation, stateOf } from '../../given.js';
import { InMemoryStores, refusalOf } from '../in-memory-stores.js';
import { decides, effectOf, running } from './deciding.js';
import { FakePayments, SETTINGS } from './purchases.js';
import * as world from './worlds.js';

const { POSTER, ROLE } = world;
const fields = {
  title: 'Translate a page',
  summary: 'One page of a manual, into French.',
  done: 'A page in French',
};
const valuesOf = (changed: RequestFields = {}) => parseFieldValues(jobFields, { ...fields, ...changed });
const fee = (changed: RequestFields) => feeOf(valuesOf(changed), RAILS);
const asking = (check: () => unknown) => new DecisionExpectation(() => (check(), [] as Fact[]));

describe('posting a job', () => {
  const post = (changed: RequestFields = {}) => decides(job, { ...fields, ...changed }, POSTER);

  test('without a budget gives one seat and thirty days', () => {
    const [fact] = given(Job).when(post()).thenTypes('JobPosted');
    const unsaid = { trial: null, terms: null, skills: [], payment: null, project: null, again_of: null };
    expect(fact!.data).toMatchObject({ ...fields, ...unsaid, poster: POSTER, seats: 1, budget: null });
    expect(fact!.data).toMatchObject({ expires_at: NOW + 30 * DAY_MS });
  });

  test('trims texts and lowercases skills', () => {
    const [fact] = given(Job)
      .when(post({ title: '  A title ', skills: 'French, french,OCR' }))
      .thenTypes('JobPosted');
    expect(fact!.data).toMatchObject({ title: 'A title', skills: ['french', 'ocr'] });
  });

  test('throws if the slug is taken', () => {
    given(Job, world.plainJob()).when(post()).thenThrows(IdCollision);
  });
});

describe('the fee', () => {
  test('is five percent of all seats, rounded up to the smallest unit', () => {
    expect(fee({ budget: '10000000' })!.amount).toBe(500_000n);
    expect(fee({ budget: '10000000', seats: '3' })!.amount).toBe(1_500_000n);
    expect(fee({ budget: '1' })!.amount).toBe(1n);
    expect(fee({ budget: '21', seats: '2' })!.amount).toBe(3n);
  });

  test('is based on a budget in smallest units and dollars on the chosen rail', () => {
    const { budget, amount } = fee({ budget_usd: '0.1', rail: 'usdg-robinhood', seats: '3' })!;
    expect(budget).toEqual({
      amount: '100000',
      usd: '0.1',
      token: 'USDG',
      rail: 'usdg-robinhood',
      network: 'eip155:4663',
    });
    expect(amount).toBe(15_000n);
  });

  test('is absent without a budget', () => {
    expect(fee({})).toBeNull();
    expect(fee({ budget: '', budget_usd: '' })).toBeNull();
  });

  test('is refused for a budget in both forms', () => {
    asking(() => fee({ budget: '1', budget_usd: '1' })).thenRefused('budget', 'budget');
  });

  test('is refused for a zero budget, naming its field', () => {
    asking(() => fee({ budget: '0' })).thenRefused('budget', 'budget');
    asking(() => fee({ budget_usd: '0.000000' })).thenRefused('budget_usd', 'budget_usd');
  });

  test('defaults to Base, or to another rail if the service does not settle on Base', () => {
    const rail = (rails: typeof RAILS) => feeOf(valuesOf({ budget: '1' }), rails)!.budget.rail;
    expect(rail(RAILS)).toBe('usdc-base');
    expect(rail(RAILS.filter(({ name }) => name !== 'usdc-base'))).toBe('usdg-robinhood');
  });

  test('is refused on a rail that the service does not settle on', () => {
    const only = RAILS.filter(({ name }) => name === 'usdc-base');
    asking(() => feeOf(valuesOf({ budget: '1', rail: 'usdg-robinhood' }), only)).thenRefused('rail', 'rail');
  });
});

describe('the end of a job', () => {
  test('must be in the future and at most 180 days ahead', () => {
    expect(expiryOf(NOW + 1, NOW)).toBe(NOW + 1);
    expect(expiryOf(NOW + 180 * DAY_MS, NOW)).toBe(NOW + 180 * DAY_MS);
    asking(() => expiryOf(NOW, NOW)).thenRefused('expires_at', 'expires_at');
    asking(() => expiryOf(NOW + 180 * DAY_MS + 1, NOW)).thenRefused('expires_at', 'expires_at');
  });
});

describe('the fields of a job', () => {
  test.each([
    ['done', { done: 'Two words' }],
    ['done', { done: `three words ${'x'.repeat(200)}` }],
    ['summary', { summary: 'Too short.' }],
    ['summary', { summary: `Short.${' '.repeat(30)}` }],
    ['summary', { summary: 'x'.repeat(601) }],
    ['title', { title: 'x' }],
    ['title', { title: 'two\nlines' }],
    ['title', { title: 'x'.repeat(81) }],
    ['seats', { seats: '11' }],
    ['seats', { seats: '0' }],
    ['budget', { budget: '1.5' }],
    ['budget_usd', { budget_usd: '1.0000001' }],
    ['rail', { rail: 'gold' }],
    ['skills', { skills: 'a1,b1,c1,d1,e1,f1' }],
    ['trial', { trial: 'x'.repeat(301) }],
    ['terms', { terms: 'x'.repeat(601) }],
    ['expires_at', { expires_at: 'tomorrow' }],
  ])('name an invalid %s in the refusal', (field, changed) => {
    asking(() => parseFields(job.request, { ...fields, ...changed })).thenRefused(field, field);
  });
});

describe('the job command', () => {
  const buying = (stores: InMemoryStores, payments = new FakePayments()) =>
    running(job, stores, { journal: stores.journal, settings: SETTINGS }, payments);

  test('posts one free job and returns the same response for a repeated request', async () => {
    const stores = new InMemoryStores();
    const payments = new FakePayments();
    const post = buying(stores, payments);
    const request = stores.request(POSTER);
    const first = await post(fields, request);
    expect(await post(fields, request)).toEqual(first);
    expect(first.body).toMatchObject({ role: expect.stringMatching(/^job-\d{12}$/), paid: false, payment: null });
    expect(stores.log.events.map(({ type }) => type).slice(2)).toEqual(['JobPosted']);
    expect(payments.asked).toEqual([]);
  });

  test('uses the next slug if the first slug is taken', async () => {
    const stores = new InMemoryStores();
    const context = stores.request(POSTER);
    const taken = Job.streamName(`job-${context.ids.id('job')}`);
    await stores.append(taken, world.plainJob());
    const { body } = await buying(stores)(fields, context);
    expect(Job.streamName(body['role'] as string)).not.toBe(taken);
  });

  test('refuses an unknown again_of and an unknown project', async () => {
    const stores = new InMemoryStores();
    for (const field of ['again_of', 'project'])
      for (const budget of ['', '10']) {
        const post = buying(stores)({ ...fields, budget_usd: budget, [field]: 'nothing' }, stores.request(POSTER));
        expect(await refusalOf(post)).toMatchObject({ code: 'not_found', details: { field } });
      }
  });

  test('records the earlier job in again_of', async () => {
    const stores = await InMemoryStores.with(Job.streamName(ROLE), world.plainJob());
    await buying(stores)({ ...fields, again_of: ROLE }, stores.request(POSTER));
    expect(stores.log.events.at(-1)).toMatchObject({
      data: { again_of: ROLE },
      based_on: { [Job.streamName(ROLE)]: 0 },
    });
  });

  test('claims a purchase by all fields of the job and nothing else', async () => {
    const stores = new InMemoryStores();
    const payments = new FakePayments();
    const post = buying(stores, payments);
    const requests: RequestFields[] = [{}, {}, { title: 'Another title' }];
    for (const changed of requests) await post({ ...fields, budget_usd: '10', ...changed }, stores.request(POSTER));
    const [first, same, other] = payments.sold.map(({ things }) => things[0]!.value);
    expect([first === same, first === other]).toEqual([true, false]);
    expect(payments.sold[0]).toMatchObject({
      amount: 500_000n,
      rails: [{ name: 'usdc-base' }],
      owner: `muse-${POSTER}`,
    });
  });

  const settled = (terms: object) =>
    stateOf(Payment, world.told('PaymentAccepted', terms), world.told('PaymentSettled')) as SettledPaymentState;

  test('the job command posts a paid job once, however often its effect runs', async () => {
    const stores = new InMemoryStores();
    const payment = settled({ fields: { ...fields, budget_usd: '0.1', rail: 'usdg-robinhood' } });
    const effect = effectOf(job, stores);
    const context = commandContext(POSTER, { requestKey: 'payment/1' });
    expect(await effect.apply(payment, context)).toEqual({ outcome: 'applied' });
    await effect.apply(payment, context);
    const { body } = await effect.answer(payment, context);
    expect(stores.types(Job.streamName(body['role'] as string))).toEqual(['JobPosted']);
    expect(stores.log.events).toMatchObject([
      {
        decided_by: 'job-effect@1',
        data: { payment: payment.accepted.data.payment, budget: { amount: '100000', rail: 'usdg-robinhood' } },
      },
    ]);
  });

  test('the job command posts a job without a rail on the rail of its fee', async () => {
    const stores = new InMemoryStores();
    const payment = settled({ fields: { ...fields, budget_usd: '0.1' }, rail: 'usdg-robinhood' });
    await effectOf(job, stores).apply(payment, commandContext(POSTER));
    expect(stores.log.events).toMatchObject([{ data: { budget: { rail: 'usdg-robinhood', token: 'USDG' } } }]);
  });

  test('the job command voids a job whose texts were erased before its fee arrived', async () => {
    const stores = new InMemoryStores();
    const outcome = await effectOf(job, stores).apply(settled({ fields: null }), commandContext(POSTER));
    expect(outcome).toEqual({ outcome: 'void', reason: 'forgotten', basedOn: {} });
    expect(stores.log.events).toEqual([]);
  });
});
