import { describe, expect, test } from '@jest/globals';
import { Escrow } from '#libs/domain/escrow.js';
import { PLACEHOLDER_IDS } from '#libs/endpoints/decision.js';
import { factsOfEscrow } from '#libs/features/hires/domain/escrow-facts.js';
import { deliver } from '#libs/features/deliveries/deliver.js';
import { dispute } from '#libs/features/deliveries/dispute.js';
import { recheck } from '#libs/features/deliveries/recheck.js';
import { revise } from '#libs/features/deliveries/revise.js';
import { decideByClock, escrowDue, isEscrowOpen, remindOfReview } from '#libs/features/hires/domain/escrow.js';
import { Hire } from '#libs/features/hires/domain/hire.js';
import { Muse } from '#libs/domain/muse.js';
import { Application } from '#libs/features/jobs/domain/application.js';
import { Job } from '#libs/features/jobs/domain/job.js';
import { hire } from '#libs/features/hires/hire.js';
import { InMemoryStores, refusalOf } from '../in-memory-stores.js';
import { SETTINGS } from './purchases.js';
import { decideAsOperator } from '#libs/features/hires/award-escrow.js';
import { endHire } from '#libs/features/hires/end-hire.js';
import { DAY_MS, HOUR_MS } from '#libs/kernel/clock.js';
import type { Fact } from '#libs/kernel/event.js';
import { given, NOW, stateOf } from '../../given.js';
import { decides, running, testRefusals } from './deciding.js';
import * as world from './worlds.js';

const { CHECKER, HIRE, POSTER, ROLE, WORKER } = world;
const BUDGET = { amount: '10000000', usd: '10', token: 'USDC', rail: 'usdc-base', network: 'eip155:8453' };
const TERMS = { version: 'v1.1', work_days: 7, review_days: 3, arbiter: CHECKER };
const funded = (changed: object = {}) => [
  world.hired(),
  world.told('EscrowFunded', { hire: HIRE, role: ROLE, terms: { ...TERMS, ...changed } }),
];
const read = [...funded(), world.delivered(), world.deliveryRead()];
const disputed = [...read, world.disputed(POSTER)];
const withdrawn = [...disputed, world.told('DisputeWithdrawn')];
const decided = [...read, world.told('EscrowDecided', { hire: HIRE, to: 'poster' })];
const digest = (world.deliveryRead().data as { digest: string }).digest;

const after = (facts: readonly Fact[], ms: number) => decideByClock(stateOf(Hire, ...facts), NOW + ms);
const at = (ms: number) => ({ changed: { at: NOW + ms } });

describe('an escrow without a decision of its parties', () => {
  test('is returned if nothing is delivered in time', () => {
    expect(after(funded(), 7 * DAY_MS - 1)).toEqual([]);
    expect(after(funded(), 7 * DAY_MS)).toMatchObject([
      { type: 'HireEnded', data: { by: null, reason: 'not_delivered' } },
      { type: 'EscrowDecided', data: { to: 'poster', reason: 'not_delivered' } },
    ]);
  });

  test('counts a delivery that can be read within a day', () => {
    const times = { hired_at: 0, ...TERMS, review_from: null, held_from: null, unread_since: 7 * DAY_MS - 1 };
    expect(escrowDue(times)).toMatchObject({ at: 8 * DAY_MS - 1, reason: 'not_delivered' });
    const again = { ...times, unread_since: 8 * DAY_MS - 2 };
    expect(escrowDue(again)).toMatchObject({ at: 8 * DAY_MS, reason: 'not_delivered' });
  });

  test('is released once the review is over, after one reminder', () => {
    expect(after(read, 3 * DAY_MS - 1)).toEqual([]);
    expect(after(read, 3 * DAY_MS)).toMatchObject([{ data: { to: 'worker', reason: 'review_over' } }]);
    const remind = (facts: readonly Fact[], ms: number) => remindOfReview(stateOf(Hire, ...facts), NOW + ms);
    expect(remind(read, 2 * DAY_MS - 1)).toEqual([]);
    const [reminder] = remind(read, 2 * DAY_MS);
    expect(reminder).toMatchObject({ type: 'ReviewEndsSoon', data: { ends_at: NOW + 3 * DAY_MS } });
    expect(remind([...read, reminder!], 2 * DAY_MS)).toEqual([]);
  });

  test('goes to the worker after an undecided dispute only with an arbiter', () => {
    expect(after(disputed, 3 * DAY_MS)).toMatchObject([{ data: { to: 'worker', reason: 'undecided' } }]);
    const alone = [...funded({ arbiter: null }), world.delivered(), world.deliveryRead(), world.disputed(POSTER)];
    expect(after(alone, 3 * DAY_MS)).toMatchObject([{ data: { to: 'poster', reason: 'undecided' } }]);
  });

  test('is decided once', () => {
    expect(after(decided, 30 * DAY_MS)).toEqual([]);
  });
});

describe('a hire after the end of its escrow', () => {
  const { payment } = world.told('EscrowFunded').data as { payment: string };
  const ended = (type: string) => stateOf(Escrow, world.told(type));
  const follow = (facts: readonly Fact[], type: string) =>
    factsOfEscrow(stateOf(Hire, ...facts), { payment, escrow: ended(type) }, PLACEHOLDER_IDS);
  const typesOf = (facts: readonly Fact[]) => facts.map(({ type }) => type);

  test('is paid once by its release, with the digest of its delivery', () => {
    const [paid] = follow(read, 'EscrowReleased');
    const { tx } = world.told('EscrowReleased').data as { tx: string };
    expect(paid).toMatchObject({ type: 'Paid', data: { payment, digest, tx, amount: BUDGET.amount } });
    expect(follow([...read, paid!], 'EscrowReleased')).toEqual([]);
    expect(follow(funded(), 'EscrowReleased')).toEqual([]);
  });

  test('is unpaid if a reorganisation turns the release into a return', () => {
    const [paid] = follow(read, 'EscrowReleased');
    const lost = follow([...read, paid!], 'EscrowReturned');
    expect(typesOf(lost)).toEqual(['WageLost', 'EscrowClosed']);
    expect(follow([...read, paid!, ...lost], 'EscrowReturned')).toEqual([]);
  });

  test('ends without a delivery if the escrow was lost, and else stays', () => {
    expect(typesOf(follow(funded(), 'EscrowLost'))).toEqual(['EscrowClosed', 'HireEnded']);
    expect(typesOf(follow(read, 'EscrowLost'))).toEqual(['EscrowClosed']);
    expect(typesOf(follow(funded(), 'EscrowReturned'))).toEqual(['EscrowClosed']);
    expect(follow([world.hired()], 'EscrowLost')).toEqual([]);
  });

  test('is a plain hire once the money is back', () => {
    const back = [...read, world.told('EscrowClosed', { hire: HIRE, role: ROLE })];
    expect(after(back, 30 * DAY_MS)).toEqual([]);
    expect(isEscrowOpen(stateOf(Hire, ...back))).toBe(false);
  });
});

describe('the arbiter of an escrow', () => {
  const scope = 'Read both pages side by side.';
  const rechecking = (result: string, sent: object = { digest }, ms = 0) =>
    decides(recheck, { hire: String(HIRE), result, scope, ...sent }, CHECKER, at(ms));
  const types = (facts: readonly Fact[], decide: (state: Hire) => Fact[]) =>
    decide(stateOf(Hire, ...facts)).map(({ type, data }) => [type, (data as { to?: string }).to]);

  test('decides a dispute by a recheck with the digest', () => {
    expect(types(disputed, rechecking('held'))[1]).toEqual(['EscrowDecided', 'worker']);
    expect(types(disputed, rechecking('broke'))[1]).toEqual(['EscrowDecided', 'poster']);
  });

  test('decides nothing without the digest, without a dispute, or too late', () => {
    expect(types(disputed, rechecking('held', {}))).toHaveLength(1);
    expect(types(read, rechecking('held'))).toHaveLength(1);
    expect(types(disputed, rechecking('held', { digest }, 3 * DAY_MS))).toHaveLength(1);
  });
});

describe('an escrow that the operator decides', () => {
  const muse = (...facts: readonly Fact[]) => stateOf(Muse, world.told('Registered'), world.told('Joined'), ...facts);
  const active = muse();
  const suspended = muse(world.told('Suspended'));
  const decision =
    (to: 'worker' | 'poster', parties = { poster: active, worker: active }) =>
    (hire: Hire) =>
      decideAsOperator(hire, parties, to);

  test('is one that is disputed, or has a suspended party', () => {
    const award = [{ type: 'EscrowDecided', data: { to: 'worker', reason: 'operator' } }];
    expect(decision('worker')(stateOf(Hire, ...disputed))).toMatchObject(award);
    for (const parties of [
      { poster: suspended, worker: active },
      { poster: active, worker: suspended },
    ])
      expect(decision('worker', parties)(stateOf(Hire, ...read))).toMatchObject(award);
  });

  testRefusals(Hire, [
    ['for one that is neither disputed nor of a suspended party', read, decision('worker'), 'escrow_holds'],
    ['for a dispute that was withdrawn', withdrawn, decision('poster'), 'escrow_holds'],
    ['for one that is decided', decided, decision('worker'), 'escrow_over'],
    ['for a hire without one', [world.hired()], decision('poster'), 'not_found'],
    [
      'to release it without a delivery',
      funded(),
      decision('worker', { poster: suspended, worker: active }),
      'not_delivered',
    ],
  ]);
});

describe('a hire with an escrow', () => {
  const delivering = decides(deliver, { hire: String(HIRE), url: 'https://example.com/x' }, WORKER, { given: null });
  const ending = (actor: string, ms = 0) =>
    decides(endHire, { hire: String(HIRE), reason: 'It is not needed now.' }, actor, at(ms));
  const disputing = (actor: string, ms = 0) =>
    decides(dispute, { hire: String(HIRE), reason: 'The page is not in French.' }, actor, at(ms));
  const revising = (ms = 0) =>
    decides(revise, { hire: String(HIRE), text: 'Please translate the second page too.' }, POSTER, at(ms));
  const asked = world.told('RevisionAsked', { hire: HIRE, count: 1 });
  const replaced = [...read, world.delivered(2), world.deliveryRead(2)];

  testRefusals(Hire, [
    ['for a third version in the review', replaced, delivering, 'in_review'],
    ['for a delivery once its end is decided', decided, delivering, 'escrow_over'],
    ['to a poster that ends it after an hour', funded(), ending(POSTER, HOUR_MS), 'escrow_holds'],
    ['to a poster that ends it after a delivery', read, ending(POSTER), 'escrow_holds'],
    ['to a worker that ends it once its end is decided', decided, ending(WORKER), 'escrow_over'],
    ['for a dispute before the review', funded(), disputing(POSTER), 'not_in_review'],
    ['for a dispute after the review', read, disputing(POSTER, 3 * DAY_MS), 'not_in_review'],
    ['for a revision before the review', [...funded(), world.delivered()], revising(), 'not_in_review'],
    ['for a revision after the review', read, revising(3 * DAY_MS), 'not_in_review'],
    ['for a second revision', [...read, asked], revising(), 'too_many_revisions'],
    ['for a revision of a replacement', replaced, revising(), 'too_many_revisions'],
    ['for a revision once its end is decided', decided, revising(), 'escrow_over'],
    ['for a dispute of the worker', read, disputing(WORKER), 'not_the_poster'],
  ]);

  test('has one revision in its review, which starts again with the replacement', () => {
    given(Hire, ...read)
      .when(revising(3 * DAY_MS - 1))
      .thenTypes('RevisionAsked');
    given(Hire, ...read, asked)
      .when(delivering)
      .thenTypes('Delivered');
    const back = [...read, asked, world.delivered(2), world.told('EscrowClosed', { hire: HIRE, role: ROLE })];
    given(Hire, ...back)
      .when(revising(9 * DAY_MS))
      .thenTypes('RevisionAsked');
  });

  test('can be ended by its worker, and by its poster at first', () => {
    const ended = { HireEnded: {}, EscrowDecided: {} };
    for (const [facts, decide] of [
      [read, ending(WORKER)],
      [funded(), ending(POSTER, HOUR_MS - 1)],
    ] as const)
      given(Hire, ...facts)
        .when(decide)
        .thenTypes(...Object.keys(ended));
  });
});

test('funding is refused with escrow_not_offered once the setting is another one', async () => {
  const stores = await InMemoryStores.with(Job.streamName(ROLE), world.plainJob({ budget: BUDGET, escrow: TERMS }));
  await stores.append(Application.streamName(ROLE, WORKER), world.applied());
  await stores.append(
    Muse.streamName(WORKER),
    world.told('Registered', { muse_id: WORKER }),
    world.told('Joined', { muse_id: WORKER }),
    world.told('ProfileUpdated', { muse_id: WORKER }),
  );
  const uses = { journal: stores.journal, settings: SETTINGS, escrows: { versionOn: () => 'v1.0' } };
  const hiring = running(hire, stores, uses)({ role: ROLE, to: WORKER }, stores.request(POSTER));
  expect(await refusalOf(hiring)).toMatchObject({ code: 'escrow_not_offered' });
});
