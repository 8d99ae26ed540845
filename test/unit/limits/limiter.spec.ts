import { describe, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { type Counters, SharedCounters } from '#libs/platform/limits/counters.js';
import { rateLimitHeader, rateLimitPolicyHeader, Limiter } from '#libs/platform/limits/limiter.js';
import { endpointLimits, type Limit, limitPerMuse } from '#libs/platform/limits/limit.js';
import { LocalCounters } from '#libs/platform/limits/local.counters.js';
import { MemoryCoordination } from '../../doubles/memory-coordination.js';
import { TestClock } from '../../doubles/test-clock.js';
import { refusalOf } from '../in-memory-stores.js';

const LIMIT: Limit = { name: 'looks', points: 3, seconds: 60, per: 'muse' };
const MUSE = 'agent_0123456789';

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

describe.each(kinds)('a limiter with %s counters', (_kind, countersOf) => {
  const take = (limiter: Limiter, times: number, limit = LIMIT) =>
    Array.from({ length: times }).reduce<Promise<unknown>>(
      before => before.then(() => limiter.takePoint(limit, MUSE)),
      Promise.resolve(),
    );

  test('starts a window at the first request and allows its points', async () => {
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
    'ends a window in time after the clock jumped ahead and back: %j',
    async limit => {
      const { clock, limiter } = bench(countersOf);
      clock.advance(25 * HOUR_MS);
      await take(limiter, limit.points, limit);
      clock.advance(-25 * HOUR_MS);
      const refusal = await refused(limiter, [], limit);
      expect((refusal as { details: { retryAfter: number } }).details.retryAfter).toBeLessThanOrEqual(limit.seconds);
      clock.advance(limit.seconds * SECOND_MS);
      await take(limiter, limit.points, limit);
    },
  );

  test('allows exactly the points of a window to concurrent requests', async () => {
    const { limiter } = bench(countersOf);
    const all = await Promise.allSettled(Array.from({ length: 40 }, async () => limiter.takePoint(LIMIT, MUSE)));
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(LIMIT.points);
  });

  test('writes nothing for refused requests', async () => {
    const { coordination, limiter } = bench(countersOf);
    await take(limiter, LIMIT.points);
    const before = coordination.writes;
    for (let tries = 0; tries < 50; tries += 1) await refused(limiter, [`signature ${tries}`]);
    await limiter.flush();
    expect(coordination.writes).toBe(before);
  });

  test('counts a repeated request once and allows it again', async () => {
    const { limiter } = bench(countersOf);
    for (let times = 0; times < 9; times += 1) await limiter.takePoint(LIMIT, MUSE, ['first']);
    await limiter.takePoint(LIMIT, MUSE, ['second']);
    await limiter.takePoint(LIMIT, MUSE, ['third']);
    for (let tries = 0; tries < 2; tries += 1) expect(await refused(limiter, ['fourth'])).toBeDefined();
    const { usage: standing } = await limiter.takePoint(LIMIT, MUSE, ['first']);
    expect(standing.sum).toBe(LIMIT.points);
  });

  test('counts a refused request when it is allowed in a later window', async () => {
    const { clock, limiter } = bench(countersOf);
    await take(limiter, LIMIT.points);
    await refused(limiter, ['late']);
    clock.advance(MINUTE_MS);
    expect((await limiter.takePoint(LIMIT, MUSE, ['late'])).usage.sum).toBe(1);
  });

  test('frees a returned point, also for the same request', async () => {
    const { limiter } = bench(countersOf);
    await take(limiter, LIMIT.points - 1);
    const taken = await limiter.takePoint(LIMIT, MUSE, ['refused']);
    await refused(limiter);
    expect((await taken.refund()).sum).toBe(LIMIT.points - 1);
    expect((await limiter.takePoint(LIMIT, MUSE, ['refused'])).usage.sum).toBe(LIMIT.points);
    expect(await refused(limiter)).toBeDefined();
  });

  test('counts requests with a shared id once; a returned request counts again', async () => {
    const { limiter } = bench(countersOf);
    await limiter.takePoint(LIMIT, MUSE, ['first', 'payment']);
    expect((await limiter.takePoint(LIMIT, MUSE, ['second', 'payment'])).usage.sum).toBe(1);
    const borrowed = await limiter.takePoint(LIMIT, MUSE, ['third', 'payment']);
    await borrowed.refund();
    expect((await limiter.takePoint(LIMIT, MUSE, ['third'])).usage.sum).toBe(2);
    expect((await limiter.takePoint(LIMIT, MUSE, ['second'])).usage.sum).toBe(2);
  });

  test('does not return a point to a later window', async () => {
    const { clock, limiter } = bench(countersOf);
    const taken = await limiter.takePoint(LIMIT, MUSE);
    clock.advance(MINUTE_MS);
    await taken.refund();
    expect((await limiter.takePoint(LIMIT, MUSE)).usage.sum).toBe(1);
  });
});

describe('processes', () => {
  const HOURLY = { ...LIMIT, seconds: HOUR_MS / 1_000 };

  test('share their counts through the shared store', async () => {
    const { process } = bench(kinds[0]![1]);
    const [here, there] = [process(), process()];
    for (const limiter of [here, there, here]) await limiter.takePoint(LIMIT, MUSE, ['the same']);
    await there.takePoint(LIMIT, MUSE);
    await here.takePoint(LIMIT, MUSE);
    for (const limiter of [here, there]) expect(await refused(limiter)).toBeDefined();
  });

  test('see points that another process returns', async () => {
    const { process } = bench(kinds[0]![1]);
    const [here, there] = [process(), process()];
    const taken = await here.takePoint(LIMIT, MUSE);
    for (const limiter of [here, there]) await limiter.takePoint(LIMIT, MUSE);
    expect(await refused(there)).toBeDefined();
    await taken.refund();
    await there.takePoint(LIMIT, MUSE);
  });

  test('without a shared store keep an hourly window across a restart', async () => {
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

  test('without a shared store write counts later after a failed write', async () => {
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

describe('a limit declaration', () => {
  test('takes its name from the endpoint and from the window or its own name', () => {
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

test('the rate limit headers list the allowed and the remaining requests', () => {
  const now = 1_000;
  const standings = [
    { limit: LIMIT, sum: 2, endsAt: 43_001 },
    { limit: { ...LIMIT, name: 'more', points: 9, seconds: 3_600 }, sum: 12, endsAt: 999 },
  ];
  expect(rateLimitPolicyHeader(standings.map(({ limit }) => limit))).toBe('"looks";q=3;w=60, "more";q=9;w=3600');
  expect(rateLimitHeader(standings, now)).toBe('"looks";r=1;t=43, "more";r=0;t=1');
});
