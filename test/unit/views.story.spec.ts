import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { Event } from '#libs/kernel/event.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import type { JsonObject } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import { hirePayload } from '#libs/features/records/payloads.js';
import { Founding, FOUNDING_ID } from '#libs/features/identity/views/founding.js';
import { Deliveries } from '#libs/features/hires/views/deliveries.js';
import { gigKey, Gigs } from '#libs/features/hires/views/gigs.js';
import { Hires } from '#libs/features/hires/views/hires.js';
import { Items } from '#libs/features/feed/views/items.js';
import { Muses } from '#libs/features/identity/views/muses.js';
import { PaymentsView } from '#libs/features/payments/views/payments.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { isOpenRole, roleView, Roles } from '#libs/features/jobs/views/roles.js';
import { Stats, STATS_ID } from '#libs/features/stats/views/stats.js';
import { storyEvents } from '../vectors/event-samples.js';
import { HIRE, POSTER, ROLE, STORY, WORKER } from '../vectors/event-story.js';
import * as money from '../vectors/payment-story.js';
import { after } from './views.js';

const story = storyEvents();

const document = <D extends JsonObject>(projection: Projection<D>, id: string, events: readonly Event[] = story) =>
  after(projection, events).get(id)?.body as D | undefined;

/** Events that revert another event in every projection but the inbox, which keeps its items, and statements, which follow `PaymentLost`. */
const TAKEN_BACK = [
  ['Paid', 'WageLost'],
  ['Suspended', 'Reinstated'],
  ['Disputed', 'DisputeWithdrawn'],
  ['Recommended', 'RecommendationWithdrawn'],
  ['CrewJoined', 'CrewLeft'],
  ['ProjectJoined', 'ProjectLeft'],
] as const;

const KEEPING = ['inbox', 'statement_lines'];

describe.each(TAKEN_BACK)('%s is reverted by %s', (type, takenBackBy) => {
  const at = story.findIndex(event => event.type === type);
  const done = story[at]!;
  const undone = { ...story.find(event => event.type === takenBackBy)!, position: `${done.position}1` };
  const bodies = (projection: Projection, events: readonly Event[]) =>
    [...after(projection, events)].map(([id, { body }]) => [id, body]);
  const [before, whole] = [story.slice(0, at), story.slice(0, at + 1)];
  const changed = PROJECTIONS.filter(
    ({ raw, name, types }) => !raw && !KEEPING.includes(name) && types.includes(type),
  ).filter(projection => !isDeepStrictEqual(bodies(projection, before), bodies(projection, whole)));

  test.each(changed)('in the projection $name', projection => {
    expect(bodies(projection, [...whole, undone])).not.toEqual(bodies(projection, whole));
  });
});

describe('the documents after the story', () => {
  test('show a worker who has joined, was hired, has delivered and was paid', () => {
    const paid = { USDC: { count: 1, amount: '10000000' } };
    const flags = { joined: true, hires: 2, has_payout_address: true, open_to_work: false };
    expect(document(Muses, WORKER)).toMatchObject({
      ...flags,
      headline: 'Translates French',
      referred_by: POSTER,
      earned: paid,
    });
    expect(document(Muses, POSTER)).toMatchObject({ joined: true, hires: 0, has_payout_address: false, earned: {} });
  });

  test('show a hire that is delivered, read and paid', () => {
    const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
    const delivery = { version: 1, url: 'https://files.example/page', note: 'Bonjour.', digest };
    expect(document(Hires, String(HIRE))).toMatchObject({
      role: ROLE,
      worker: WORKER,
      delivery,
      paid: { block: 42 },
    });
    expect(document(Deliveries, `${HIRE}/1`)).toMatchObject({ hire: HIRE, ...delivery });
  });

  test('keep the update time of a hire whose earlier wage settles last', () => {
    const [wage, others] = [true, false].map(is => story.filter(({ type }) => (type === 'Paid') === is));
    const { updated_at, created_at: at } = document(Hires, String(HIRE), others)!;
    const hire = document(Hires, String(HIRE), [...others!, ...wage!.map(event => ({ ...event, at }))])!;
    expect(hire).toMatchObject({ paid: { at }, updated_at });
    const whole = {
      hire,
      deliveries: [],
      rechecks: [],
      states: hire.states,
      erasedPosts: new Map<number, number | null>(),
      terms: null,
      links: [],
    };
    expect(hirePayload(whole, null, undefined)).toMatchObject({
      issued_at: new Date(Math.max(...hire.states.map(state => state.at))).toISOString(),
    });
  });

  test('show a job that is filled and closed', () => {
    const role = document(Roles, ROLE)!;
    expect(role).toMatchObject({
      applicants: 1,
      hired: [WORKER],
      closed: true,
      closed_reason: 'filled',
      fee_paid: true,
    });
    expect(roleView(role, 0)).toMatchObject({ status: 'closed', seats_left: 0, slug: ROLE });
    expect(roleView(role, 0)).not.toHaveProperty('opened');
  });

  test('show an expired job as closed from the millisecond of its expiry', () => {
    const open = document(
      Roles,
      ROLE,
      story.filter(({ type, stream }) => type === 'JobPosted' && stream === `job-${ROLE}`),
    )!;
    const { expires_at } = open;
    expect([isOpenRole(open, expires_at! - 1), isOpenRole(open, expires_at!)]).toEqual([true, false]);
    expect(roleView(open, expires_at!)).toMatchObject({
      status: 'closed',
      closed_reason: 'expired',
      closed_at: expires_at,
    });
    expect(roleView(open, expires_at! - 1)).toMatchObject({ status: 'open', closed_reason: null, closed_at: null });
  });

  test('list no settled or failed payments as open', () => {
    const open = Object.fromEntries(
      [...after(PaymentsView as never, story)].map(([id, { body }]) => [id, body['open']]),
    );
    expect(open).toEqual({
      [money.FEE]: false,
      [money.EXPIRING]: false,
      [money.WAGE]: false,
      [money.WAGE_AGAIN]: false,
      [money.VERIFICATION]: false,
    });
  });

  test('count the events in the statistics', () => {
    const count = (type: string) => STORY.filter(({ fact }) => fact.type === type).length;
    expect(document(Stats, STATS_ID)).toMatchObject({
      muses: count('Registered'),
      joined: count('Joined'),
      posted: count('JobPosted'),
      closed: 1,
      hires: count('Hired'),
      deliveries: count('Delivered'),
      projects: 1,
      receipts: 1,
      paid: { USDC: '10000000' },
    });
  });

  test('remove the paid job and its sum when its wage is lost', () => {
    const gig = (events: readonly Event[]) => document(Gigs, gigKey(WORKER, POSTER), events);
    const sums = (events: readonly Event[]) => document(Stats, STATS_ID, events)!.paid;
    const till = (type: string) => story.slice(0, 1 + story.findIndex(event => event.type === type));
    expect([gig(till('Paid')), sums(till('Paid'))]).toMatchObject([{ count: 1 }, { USDC: '10000000' }]);
    expect([gig(till('WageLost')), sums(till('WageLost'))]).toEqual([undefined, {}]);
    expect(gig(story)).toMatchObject({ count: 1, amounts: { USDC: '10000000' } });
  });

  test('drop the lost token from a job that was paid in two tokens', () => {
    const [paid, lost] = ['Paid', 'WageLost'].map(type => story.find(event => event.type === type)!);
    const inUsdg = { ...paid!, position: '1'.repeat(20), data: { ...(paid!.data as object), token: 'USDG' } };
    const events = [inUsdg, { ...paid!, position: '2'.repeat(20) }, { ...lost!, position: '3'.repeat(20) }];
    expect(document(Gigs, gigKey(WORKER, POSTER), events)).toMatchObject({ count: 1, amounts: { USDG: '10000000' } });
    expect(document(Gigs, gigKey(WORKER, POSTER), events)!.amounts).not.toHaveProperty('USDC');
  });

  test('count a revised recheck once with its newest result', () => {
    const [held] = story.filter(({ type }) => type === 'Rechecked');
    const verdict = (result: string, replaces: string | null, position: string) => ({
      ...held!,
      position: position.repeat(20),
      data: { ...(held!.data as object), result, replaces },
    });
    const before = story.filter(({ type }) => type !== 'Rechecked');
    const twice = [...before, verdict('held', null, '7'), verdict('broke', null, '8')];
    expect(document(Stats, STATS_ID, twice)).toMatchObject({ rechecks: { held: 1, broke: 1 } });
    const mended = [...twice, verdict('held', 'broke', '9')];
    expect(document(Stats, STATS_ID, mended)).toMatchObject({ rechecks: { held: 2, broke: 0 } });
  });

  test('number the first 100 members in order without the house', () => {
    const [joined] = story.filter(({ type }) => type === 'Joined');
    const museId = (number: number) => (number === 3 ? SYSTEM_ACCOUNT_ID : `agent_${String(number).padStart(10, '0')}`);
    const events = Array.from({ length: 103 }, (_, number) => ({
      ...joined!,
      position: String(number + 1).padStart(20, '0'),
      data: { ...(joined!.data as object), muse_id: museId(number) },
    }));
    const { muses } = document(Founding, FOUNDING_ID, events)!;
    expect([muses.length, muses[0], muses[3], muses.at(-1)]).toEqual([100, museId(0), museId(4), museId(100)]);
  });

  test('list the feed items in the order of the log', () => {
    const items = [...after(Items as never, story).values()].map(
      ({ body }) => body as { kind: string; opened: string },
    );
    const kinds = items.sort((a, b) => (a.opened < b.opened ? -1 : 1)).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(['joined', 'joined', 'job', 'applied', 'hired', 'receipt']));
    expect(kinds.indexOf('job')).toBeLessThan(kinds.indexOf('applied'));
  });

  test('keep a feed item at its first event', () => {
    const [first] = story.filter(({ type }) => type === 'Joined');
    const second = {
      ...first!,
      position: '9'.repeat(20),
      data: { ...(first!.data as object), muse_id: 'agent_second0000' },
    };
    expect(document(Items, '1000000000001', [...story, second])).toMatchObject({
      muse_id: POSTER,
      opened: first!.position,
    });
  });
});
