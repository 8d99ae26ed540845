import { describe, expect, test } from '@jest/globals';
import { Muse } from '#libs/domain/muse.js';
import { delegate, delegateFields, jobOf } from '#libs/features/delegation/delegate.js';
import { apply } from '#libs/features/jobs/apply.js';
import { Application } from '#libs/features/jobs/domain/application.js';
import type { Budget } from '#libs/features/jobs/domain/job-fields.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { assertArbiter, escrowTermsOf } from '#libs/features/jobs/escrow-fields.js';
import { completeJob, jobFields } from '#libs/features/jobs/job-terms.js';
import { job } from '#libs/features/jobs/post-job.js';
import { hire } from '#libs/features/hires/hire.js';
import type { Fact, RequestFields } from '#libs/kernel/event.js';
import { parseFields } from '#libs/validation/request-class.js';
import { parseFieldValues } from '#libs/validation/request-fields.js';
import { commandContext, DecisionExpectation, given, stateOf } from '../../given.js';
import { InMemoryStores, refusalOf } from '../in-memory-stores.js';
import { decides, effectOf, running, testRefusals } from './deciding.js';
import { FakePayments, settled, SETTINGS } from './purchases.js';
import * as world from './worlds.js';

const { CHECKER, POSTER, ROLE, WORKER } = world;
const text = { title: 'Translate a page', summary: 'One page of a manual, into French.', done: 'A page in French' };
const paid = { ...text, budget_usd: '10', escrow: 'true' };
const budget = (usd: string): Budget => ({
  amount: String(Number(usd) * 1_000_000),
  usd,
  token: 'USDC',
  rail: 'usdc-base',
  network: 'eip155:8453',
});
const valuesOf = (changed: RequestFields) => parseFieldValues(jobFields, { ...text, ...changed });
const terms = (changed: RequestFields, usd: string | null = '10') =>
  escrowTermsOf(valuesOf({ escrow: 'true', ...changed }), usd === null ? null : budget(usd), 'v1.1');
const asking = (check: () => unknown) => new DecisionExpectation(() => (check(), [] as Fact[]));
const ESCROWS = { versionOn: (rail: string) => (rail === 'usdc-base' ? 'v1.1' : null) };
const ESCROW = { version: 'v1.1', work_days: 7, review_days: 3, arbiter: null } as const;

describe('terms of an escrow', () => {
  test('have 7 days of work, 3 days of review and no arbiter by default', () => {
    expect(terms({})).toEqual(ESCROW);
    const named = { work_days: '60', review_days: '14', arbiter: CHECKER };
    expect(terms(named)).toEqual({ ...ESCROW, work_days: 60, review_days: 14, arbiter: CHECKER });
    expect(terms({ escrow: 'false' })).toBeNull();
  });

  test('need a budget of at least 1 USD per seat', () => {
    expect(terms({}, '1')).toEqual(ESCROW);
    asking(() => terms({}, '0.999999')).thenRefused('budget', 'budget');
    asking(() => terms({}, null)).thenRefused('budget', 'budget');
  });

  test.each(['work_days', 'review_days', 'arbiter'])('are refused without an escrow, naming %s', field => {
    const sent = { escrow: '', [field]: field === 'arbiter' ? CHECKER : '2' };
    asking(() => terms(sent)).thenRefused(field, field);
  });

  test.each([
    ['work_days', '0'],
    ['work_days', '61'],
    ['review_days', '15'],
    ['arbiter', 'nobody'],
    ['escrow', 'yes'],
  ])('refuse %s of %s', (field, value) => {
    asking(() => parseFields(job.request, { ...paid, [field]: value })).thenRefused(field, field);
  });

  test('exclude hours to deliver', () => {
    asking(() => terms({ deliver_hours: '24' })).thenRefused('deliver_hours', 'deliver_hours');
  });

  test('are refused on a rail without an escrow', () => {
    asking(() => escrowTermsOf(valuesOf(paid), budget('10'), null)).thenRefused('escrow_not_offered', 'escrow');
  });

  test('take over those of an earlier job unless the request says otherwise', () => {
    const again = stateOf(Job, world.jobPosted({ poster: POSTER, escrow: { ...ESCROW, arbiter: CHECKER } }));
    const repeat = (changed: RequestFields) =>
      completeJob(parseFieldValues(jobFields, { again_of: ROLE, ...changed }), again, [POSTER]);
    expect(repeat({})).toMatchObject({ escrow: true, work_days: 7, review_days: 3, arbiter: CHECKER });
    expect(repeat({ arbiter: '', work_days: '2' })).toMatchObject({ escrow: true, work_days: 2, arbiter: null });
    for (const escrow of ['', 'false']) expect(repeat({ escrow }).arbiter).toBeUndefined();
  });

  test('have the hours of a delegated task, rounded up to days', () => {
    const delegated = (changed: RequestFields) =>
      jobOf(parseFieldValues(delegateFields, { task: 'Translate this page.', escrow: 'true', ...changed }));
    expect([24, 25].map(hours => delegated({ deliver_hours: String(hours) }).work_days)).toEqual([1, 2]);
    expect(delegated({ deliver_hours: '24' }).deliver_hours).toBeUndefined();
    expect(delegated({ deliver_hours: '1440' }).work_days).toBe(60);
    asking(() => delegated({ deliver_hours: '1441' })).thenRefused('deliver_hours', 'deliver_hours');
    expect(delegated({ work_days: '4' }).work_days).toBe(4);
    asking(() => delegated({ deliver_hours: '24', work_days: '1' })).thenRefused('work_days', 'work_days');
  });
});

const POSTING = [job, delegate].map(({ name }) => name);

describe(`an arbiter of ${POSTING.join(' and ')}`, () => {
  const verified = [world.told('Registered', { muse_id: CHECKER }), world.told('Joined', { muse_id: CHECKER })];
  const arbiter = (...facts: Fact[]) => stateOf(Muse, ...verified, ...facts);
  const wallet = world.told('Verified', { muse_id: CHECKER });
  const check = (muse: Muse, identities = [POSTER], museId = CHECKER) =>
    asking(() => assertArbiter(muse, museId, identities));

  test('must be a verified agent that is neither the poster nor linked to it', () => {
    expect(() => assertArbiter(arbiter(wallet), CHECKER, [POSTER])).not.toThrow();
    check(arbiter()).thenRefused('arbiter', 'arbiter');
    check(arbiter(wallet), [CHECKER]).thenRefused('arbiter', 'arbiter');
    check(arbiter(wallet), [POSTER, CHECKER]).thenRefused('with_itself', 'arbiter');
    check(stateOf(Muse)).thenRefused('not_found', 'arbiter');
    check(arbiter(wallet, world.told('Linked', { muse_id: CHECKER }))).thenRefused('recipient_linked', 'arbiter');
    check(arbiter(wallet, world.told('Suspended', { muse_id: CHECKER }))).thenRefused('recipient_suspended', 'arbiter');
  });

  const escrowed = world.plainJob({ escrow: { ...ESCROW, arbiter: WORKER } });
  const own = (muse_id: string, earlier: string) =>
    stateOf(
      Muse,
      world.told('Registered', { muse_id }),
      world.told('Joined', { muse_id }),
      world.told('EarlierLinked', { muse_id, earlier }),
    );
  const applying = (actor: string) =>
    decides(apply, { role: ROLE, note: 'I am fluent.' }, actor, {
      reads: { job: stateOf(Job, escrowed), own: own(actor, WORKER) },
    });
  testRefusals(Application, [
    ['when it applies for the job', [], applying(WORKER), 'arbiter_cannot_work'],
    ['when its later identity applies for the job', [], applying(CHECKER), 'arbiter_cannot_work'],
  ]);
  testRefusals(Job, [
    [
      'when it is hired for the job',
      [escrowed],
      decides(hire, { role: ROLE, to: WORKER }, POSTER, {
        reads: {
          application: stateOf(Application, world.applied()),
          worker: stateOf(Muse),
          taken: { status: 'unknown' },
        },
      }),
      'arbiter_cannot_work',
    ],
  ]);
});

describe('posting an escrowed job', () => {
  const buying = (stores: InMemoryStores, payments: FakePayments) =>
    running(job, stores, { journal: stores.journal, settings: SETTINGS, escrows: ESCROWS }, payments);

  test('sells the job with the version of the escrow, which its event repeats', async () => {
    const stores = new InMemoryStores();
    const payments = new FakePayments();
    await buying(stores, payments)(paid, stores.request(POSTER));
    const subject = payments.sold[0]?.subject;
    expect(subject).toEqual({ escrow: 'v1.1' });
    await effectOf(job, stores).apply(settled({ fields: paid, subject }), commandContext(POSTER));
    expect(stores.log.events.at(-1)).toMatchObject({ type: 'JobPosted', data: { escrow: ESCROW } });
  });

  test('is refused without a budget, and for an unknown arbiter', async () => {
    const stores = new InMemoryStores();
    const post = buying(stores, new FakePayments());
    const free = await refusalOf(post({ ...text, escrow: 'true' }, stores.request(POSTER)));
    expect(free).toMatchObject({ code: 'budget' });
    const unknown = await refusalOf(post({ ...paid, arbiter: 'agent_nobody0000' }, stores.request(POSTER)));
    expect(unknown).toMatchObject({ code: 'not_found', details: { field: 'arbiter' } });
  });

  test('is refused for a delegated task without a budget', () => {
    const decide = decides(delegate, { task: 'Translate this page.', escrow: 'true' }, POSTER);
    given(Job).when(decide).thenRefused('budget', 'budget');
  });
});
