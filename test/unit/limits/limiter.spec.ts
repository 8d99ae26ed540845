import { describe, expect, test } from '@jest/globals';
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { type Counters, SharedCounters } from '#libs/platform/limits/counters.js';
import { standingHeader, policyHeader } from '#libs/platform/limits/headers.js';
import { endpointLimits, type Limit, perMuse } from '#libs/platform/limits/limit.js';
import { Limiter } from '#libs/platform/limits/limiter.js';
import { OwnCounters } from '#libs/platform/limits/own.counters.js';
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
  refusalOf(Promise.resolve().then(() => limiter.take(limit, MUSE, once)));

const bench = (countersOf: (coordination: WatchedCoordination, clock: TestClock) => Counters) => {
  const clock = new TestClock();
  const coordination = new WatchedCoordination();
  const process = () => new Limiter(countersOf(coordination, clock), clock);
  return { clock, coordination, process, limiter: process() };
};
const kinds: [string, (coordination: WatchedCoordination, clock: TestClock) => Counters][] = [
  ['shared', (coordination, clock) => new SharedCounters(coordination, clock)],
  ['own', (coordination, clock) => new OwnCounters(coordination, clock)],
];

describe.each(kinds)('with %s counters', (_kind, countersOf) => {
  const take = (limiter: Limiter, times: number, limit = LIMIT) =>
    Array.from({ length: times }).reduce<Promise<unknown>>(
      before => before.then(() => limiter.take(limit, MUSE)),
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
    await limiter.take(LIMIT, 'agent_9876543210');
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
    const all = await Promise.allSettled(Array.from({ length: 40 }, async () => limiter.take(LIMIT, MUSE)));
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
    for (let times = 0; times < 9; times += 1) await limiter.take(LIMIT, MUSE, ['first']);
    await limiter.take(LIMIT, MUSE, ['second']);
    await limiter.take(LIMIT, MUSE, ['third']);
    for (let tries = 0; tries < 2; tries += 1) expect(await refused(limiter, ['fourth'])).toBeDefined();
    const { standing } = await limiter.take(LIMIT, MUSE, ['first']);
    expect(standing.sum).toBe(LIMIT.points);
  });

  test('a request that was refused while the window was full is counted once it is let pass', async () => {
    const { clock, limiter } = bench(countersOf);
    await take(limiter, LIMIT.points);
    await refused(limiter, ['late']);
    clock.advance(MINUTE_MS);
    expect((await limiter.take(LIMIT, MUSE, ['late'])).standing.sum).toBe(1);
  });

  test('what is given back can be taken again, by the same request too', async () => {
    const { limiter } = bench(countersOf);
    await take(limiter, LIMIT.points - 1);
    const taken = await limiter.take(LIMIT, MUSE, ['refused']);
    await refused(limiter);
    expect((await taken.giveBack()).sum).toBe(LIMIT.points - 1);
    expect((await limiter.take(LIMIT, MUSE, ['refused'])).standing.sum).toBe(LIMIT.points);
    expect(await refused(limiter)).toBeDefined();
  });

  test('a request by another of its names counts no more, and one that only borrowed a name is counted later', async () => {
    const { limiter } = bench(countersOf);
    await limiter.take(LIMIT, MUSE, ['first', 'payment']);
    expect((await limiter.take(LIMIT, MUSE, ['second', 'payment'])).standing.sum).toBe(1);
    const borrowed = await limiter.take(LIMIT, MUSE, ['third', 'payment']);
    await borrowed.giveBack();
    expect((await limiter.take(LIMIT, MUSE, ['third'])).standing.sum).toBe(2);
    expect((await limiter.take(LIMIT, MUSE, ['second'])).standing.sum).toBe(2);
  });

  test('nothing is given back to a window that has ended', async () => {
    const { clock, limiter } = bench(countersOf);
    const taken = await limiter.take(LIMIT, MUSE);
    clock.advance(MINUTE_MS);
    await taken.giveBack();
    expect((await limiter.take(LIMIT, MUSE)).standing.sum).toBe(1);
  });
});

describe('processes', () => {
  const HOURLY = { ...LIMIT, seconds: HOUR_MS / 1_000 };

  test('that share their stores count together', async () => {
    const { process } = bench(kinds[0]![1]);
    const [here, there] = [process(), process()];
    for (const limiter of [here, there, here]) await limiter.take(LIMIT, MUSE, ['the same']);
    await there.take(LIMIT, MUSE);
    await here.take(LIMIT, MUSE);
    for (const limiter of [here, there]) expect(await refused(limiter)).toBeDefined();
  });

  test('hear of what another one gives back', async () => {
    const { process } = bench(kinds[0]![1]);
    const [here, there] = [process(), process()];
    const taken = await here.take(LIMIT, MUSE);
    for (const limiter of [here, there]) await limiter.take(LIMIT, MUSE);
    expect(await refused(there)).toBeDefined();
    await taken.giveBack();
    await there.take(LIMIT, MUSE);
  });

  test('that are alone keep what has a window of an hour over a restart', async () => {
    const { clock, process } = bench(kinds[1]![1]);
    const before = process();
    for (let times = 0; times < LIMIT.points; times += 1) await before.take(HOURLY, MUSE);
    await before.flush();
    await before.flush();
    const after = process();
    clock.advance(MINUTE_MS);
    expect(await refused(after, [], HOURLY)).toMatchObject({ details: { retryAfter: 3_540 } });
    clock.advance(59 * MINUTE_MS);
    await after.take(HOURLY, MUSE);
  });

  test('that are alone write down later what could not be written', async () => {
    const { coordination, process } = bench(kinds[1]![1]);
    const before = process();
    await before.take(HOURLY, MUSE);
    const add = coordination.add.bind(coordination);
    coordination.add = () => Promise.reject(new Error('out'));
    await expect(before.flush()).rejects.toThrow('out');
    coordination.add = add;
    await before.take(HOURLY, MUSE);
    await before.flush();
    expect((await process().take(HOURLY, MUSE)).standing.sum).toBe(3);
  });
});

describe('a declaration', () => {
  test('names one limit like its endpoint, several by their windows or their own words, the shortest first', () => {
    const names = (...limits: Parameters<typeof endpointLimits>[1] & object) =>
      endpointLimits('post', limits).map(({ name }) => name);
    expect(names(perMuse(1, DAY_MS))).toEqual(['post']);
    expect(names(perMuse(60, DAY_MS), perMuse(2, MINUTE_MS), perMuse(12, HOUR_MS))).toEqual([
      'post_minute',
      'post_hour',
      'post_day',
    ]);
    expect(names(perMuse(6, DAY_MS, { named: 'new' }), perMuse(10, HOUR_MS, { named: 'edit' }))).toEqual([
      'post_edit',
      'post_new',
    ]);
    expect(names(perMuse(1, HOUR_MS), perMuse(2, HOUR_MS, { named: 'wait' }))).toEqual(['post', 'post_wait']);
    expect(names(LIMIT)).toEqual(['looks']);
  });
});

test('headers say what is allowed and what is left, as lists of the draft', () => {
  const now = 1_000;
  const standings = [
    { limit: LIMIT, sum: 2, endsAt: 43_001 },
    { limit: { ...LIMIT, name: 'more', points: 9, seconds: 3_600 }, sum: 12, endsAt: 999 },
  ];
  expect(policyHeader(standings.map(({ limit }) => limit))).toBe('"looks";q=3;w=60, "more";q=9;w=3600');
  expect(standingHeader(standings, now)).toBe('"looks";r=1;t=43, "more";r=0;t=1');
});
