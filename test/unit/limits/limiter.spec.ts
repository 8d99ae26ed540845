import { describe, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { type Counters, SharedCounters } from '#libs/platform/limits/counters.js';
import { rateLimitHeader, rateLimitPolicyHeader } from '#libs/platform/limits/rate-limit-headers.js';
import { endpointLimits, type Limit, limitPerMuse } from '#libs/platform/limits/limit.js';
import { Limiter } from '#libs/platform/limits/limiter.js';
import { LocalCounters } from '#libs/platform/limits/local.counters.js';
import { MemoryCoordination } from '../../doubles/memory-coordination.js';
import { TestClock } from '../../doubles/test-clock.js';
import { refusalOf } from '../in-memory-stores.js';

const LIMIT: Limit = { name: 'looks', points: 3, seconds: 60, per: 'muse' };
const MUSE = 'agent_0123456789';

/** Counts what is written to the shared state. */
class WatchedCoordination extends MemoryCoordination {
  writes = 0;

  override add(...parameters: Parameters<MemoryCoordination['add']>) {
    this.writes += 1;
    return super.add(...parameters);
  }

  override putIfAbsent(...parameters: Parameters<MemoryCoordination['putIfAbsent']>) {
    this.writes += 1;
    return super.putIfAbsent(...parameters);
  }
}

/** The refusal of one request more. */
const refused = (limiter: Limiter, once: string[] = [], limit = LIMIT) =>
  refusalOf(Promise.resolve().then(() => limiter.takePoint(limit, MUSE, once)));

const bench = (countersOf: (coordination: WatchedCoordination, clock: TestClock) => Counters) => {
  const clock = new TestClock();
  const coordination = new WatchedCoordination();
  const process = () => new Limiter(countersOf(coordination, clock), clock);
  return { clock, coordination, process, limiter: process() };
};
const kinds: [string, (coordination: WatchedCoordination, clock: TestClock) => Counters][] = [
  ['shared', (coordination, clock) => new SharedCounters(coordination, clock)],
  ['own', (coordination, clock) => new LocalCounters(coordination, clock)],
];

describe.each(kinds)('with %s counters', (_kind, countersOf) => {
  const take = (limiter: Limiter, times: number, limit = LIMIT) =>
    Array.from({ length: times }).reduce<Promise<unknown>>(
      before => before.then(() => limiter.takePoint(limit, MUSE)),
      Promise.resolve(),
    );

  test('a window begins with its first request and lets as many pass as it has points', async () => {
    const { clock, limiter } = bench(countersOf);
    clock.advance(17_000);
    await take(limiter, LIMIT.points);
    clock.advance(59_001);
    expect(await refused(limiter)).toMatchObject({
      code: 'rate_limited',
      details: { retryAfter: 1, more: { limit: 'looks' } },
    });
    await limiter.takePoint(LIMIT, 'agent_9876543210');
    clock.advance(999);
    await take(limiter, LIMIT.points);
    expect(await refused(limiter)).toMatchObject({ details: { retryAfter: 60 } });
  });

  test.each([LIMIT, { ...LIMIT, seconds: 3_600 }])(
    'a window of a clock that jumped ahead and came back ends within its own length: %j',
    async limit => {
      const { clock, limiter } = bench(countersOf);
      clock.advance(25 * HOUR_MS);
      await take(limiter, limit.points, limit);
      clock.advance(-25 * HOUR_MS);
      const told = await refused(limiter, [], limit);
      expect((told as { details: { retryAfter: number } }).details.retryAfter).toBeLessThanOrEqual(limit.seconds);
      clock.advance(limit.seconds * SECOND_MS);
      await take(limiter, limit.points, limit);
    },
  );

  test('of many at one moment as many pass as there are points', async () => {
    const { limiter } = bench(countersOf);
    const all = await Promise.allSettled(Array.from({ length: 40 }, async () => limiter.takePoint(LIMIT, MUSE)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIMIT.points);
  });

  test('a flood of refused requests writes nothing', async () => {
    const { coordination, limiter } = bench(countersOf);
    await take(limiter, LIMIT.points);
    const before = coordination.writes;
    for (let tries = 0; tries < 50; tries += 1) await refused(limiter, [`signature ${tries}`]);
    await limiter.flush();
    expect(coordination.writes).toBe(before);
  });

  test('the same request counts once, and is let pass again where it was', async () => {
    const { limiter } = bench(countersOf);
    for (let times = 0; times < 9; times += 1) await limiter.takePoint(LIMIT, MUSE, ['first']);
    await limiter.takePoint(LIMIT, MUSE, ['second']);
    await limiter.takePoint(LIMIT, MUSE, ['third']);
    for (let tries = 0; tries < 2; tries += 1) expect(await refused(limiter, ['fourth'])).toBeDefined();
    const { usage: standing } = await limiter.takePoint(LIMIT, MUSE, ['first']);
    expect(standing.sum).toBe(LIMIT.points);
  });

  test('a request that was refused while the window was full is counted once it is let pass', async () => {
    const { clock, limiter } = bench(countersOf);
    await take(limiter, LIMIT.points);
    await refused(limiter, ['late']);
    clock.advance(MINUTE_MS);
    expect((await limiter.takePoint(LIMIT, MUSE, ['late'])).usage.sum).toBe(1);
  });

  test('what is given back can be taken again, by the same request too', async () => {
    const { limiter } = bench(countersOf);
    await take(limiter, LIMIT.points - 1);
    const taken = await limiter.takePoint(LIMIT, MUSE, ['refused']);
    await refused(limiter);
    expect((await taken.refund()).sum).toBe(LIMIT.points - 1);
    expect((await limiter.takePoint(LIMIT, MUSE, ['refused'])).usage.sum).toBe(LIMIT.points);
    expect(await refused(limiter)).toBeDefined();
  });

  test('a request by another of its names counts no more, and one that only borrowed a name is counted later', async () => {
    const { limiter } = bench(countersOf);
    await limiter.takePoint(LIMIT, MUSE, ['first', 'payment']);
    expect((await limiter.takePoint(LIMIT, MUSE, ['second', 'payment'])).usage.sum).toBe(1);
    const borrowed = await limiter.takePoint(LIMIT, MUSE, ['third', 'payment']);
    await borrowed.refund();
    expect((await limiter.takePoint(LIMIT, MUSE, ['third'])).usage.sum).toBe(2);
    expect((await limiter.takePoint(LIMIT, MUSE, ['second'])).usage.sum).toBe(2);
  });

  test('nothing is given back to a window that has ended', async () => {
    const { clock, limiter } = bench(countersOf);
    const taken = await limiter.takePoint(LIMIT, MUSE);
    clock.advance(MINUTE_MS);
    await taken.refund();
    expect((await limiter.takePoint(LIMIT, MUSE)).usage.sum).toBe(1);
  });
});

describe('processes', () => {
  const HOURLY = { ...LIMIT, seconds: HOUR_MS / 1_000 };

  test('that share their stores count together', async () => {
    const { process } = bench(kinds[0]![1]);
    const [here, there] = [process(), process()];
    for (const limiter of [here, there, here]) await limiter.takePoint(LIMIT, MUSE, ['the same']);
    await there.takePoint(LIMIT, MUSE);
    await here.takePoint(LIMIT, MUSE);
    for (const limiter of [here, there]) expect(await refused(limiter)).toBeDefined();
  });

  test('hear of what another one gives back', async () => {
    const { process } = bench(kinds[0]![1]);
    const [here, there] = [process(), process()];
    const taken = await here.takePoint(LIMIT, MUSE);
    for (const limiter of [here, there]) await limiter.takePoint(LIMIT, MUSE);
    expect(await refused(there)).toBeDefined();
    await taken.refund();
    await there.takePoint(LIMIT, MUSE);
  });

  test('that are alone keep what has a window of an hour over a restart', async () => {
    const { clock, process } = bench(kinds[1]![1]);
    const before = process();
    for (let times = 0; times < LIMIT.points; times += 1) await before.takePoint(HOURLY, MUSE);
    await before.flush();
    await before.flush();
    const after = process();
    clock.advance(MINUTE_MS);
    expect(await refused(after, [], HOURLY)).toMatchObject({ details: { retryAfter: 3_540 } });
    clock.advance(59 * MINUTE_MS);
    await after.takePoint(HOURLY, MUSE);
  });

  test('that are alone write down later what could not be written', async () => {
    const { coordination, process } = bench(kinds[1]![1]);
    const before = process();
    await before.takePoint(HOURLY, MUSE);
    const add = coordination.add.bind(coordination);
    coordination.add = () => Promise.reject(new Error('out'));
    await expect(before.flush()).rejects.toThrow('out');
    coordination.add = add;
    await before.takePoint(HOURLY, MUSE);
    await before.flush();
    expect((await process().takePoint(HOURLY, MUSE)).usage.sum).toBe(3);
  });
});

describe('a declaration', () => {
  test('names one limit like its endpoint, several by their windows or their own words, the shortest first', () => {
    const names = (...limits: Parameters<typeof endpointLimits>[1] & object) =>
      endpointLimits('post', limits).map(({ name }) => name);
    expect(names(limitPerMuse(1, DAY_MS))).toEqual(['post']);
    expect(names(limitPerMuse(60, DAY_MS), limitPerMuse(2, MINUTE_MS), limitPerMuse(12, HOUR_MS))).toEqual([
      'post_minute',
      'post_hour',
      'post_day',
    ]);
    expect(names(limitPerMuse(6, DAY_MS, { suffix: 'new' }), limitPerMuse(10, HOUR_MS, { suffix: 'edit' }))).toEqual([
      'post_edit',
      'post_new',
    ]);
    expect(names(limitPerMuse(1, HOUR_MS), limitPerMuse(2, HOUR_MS, { suffix: 'wait' }))).toEqual([
      'post',
      'post_wait',
    ]);
    expect(names(LIMIT)).toEqual(['looks']);
  });
});

test('headers say what is allowed and what is left, as lists of the draft', () => {
  const now = 1_000;
  const standings = [
    { limit: LIMIT, sum: 2, endsAt: 43_001 },
    { limit: { ...LIMIT, name: 'more', points: 9, seconds: 3_600 }, sum: 12, endsAt: 999 },
  ];
  expect(rateLimitPolicyHeader(standings.map(({ limit }) => limit))).toBe('"looks";q=3;w=60, "more";q=9;w=3600');
  expect(rateLimitHeader(standings, now)).toBe('"looks";r=1;t=43, "more";r=0;t=1');
});
