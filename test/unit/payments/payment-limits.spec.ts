import { describe, expect, test } from '@jest/globals';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#libs/kernel/clock.js';
import { SharedCounters } from '#libs/platform/limits/counters.js';
import { LimitTable } from '#libs/platform/limits/limit-table.js';
import { Limiter } from '#libs/platform/limits/limiter.js';
import {
  CircuitBreaker,
  OUTAGES_MAX,
  OUTAGES_WINDOW_MS,
  PAYMENT_ATTEMPTS,
  PAYMENT_REFUSALS,
  PaymentLimits,
} from '#libs/payments/payment-limits.js';
import { MemoryCoordination } from '../../doubles/memory-coordination.js';
import { TestClock } from '../../doubles/test-clock.js';
import { NOW } from '../../given.js';
import { refusalOf } from '../in-memory-stores.js';

const MUSE = 'agent_0123456789';

describe('the payment limits of a muse', () => {
  const bench = () => {
    const clock = new TestClock(NOW);
    const coordination = new MemoryCoordination();
    const table = new LimitTable([PAYMENT_ATTEMPTS, PAYMENT_REFUSALS], { mode: 'on', overrides: {} });
    const process = () => new PaymentLimits(new Limiter(new SharedCounters(coordination, clock), clock), table);
    return { clock, processes: [process(), process()] };
  };

  test('bound payment attempts per hour across processes', async () => {
    const { clock, processes } = bench();
    for (let tries = 0; tries < PAYMENT_ATTEMPTS.points; tries += 1) await processes[tries % 2]!.countAttempt(MUSE);
    expect(await refusalOf(processes[0]!.countAttempt(MUSE))).toMatchObject({
      code: 'rate_limited',
      details: { retryAfter: PAYMENT_ATTEMPTS.seconds, more: { limit: 'payment_attempts' } },
    });
    await processes[0]!.countAttempt('agent_9876543210');
    clock.advance(HOUR_MS);
    await processes[1]!.countAttempt(MUSE);
  });

  test('bound refused payments and do not count outages', async () => {
    const { clock, processes } = bench();
    for (let refusals = 0; refusals < PAYMENT_REFUSALS.points; refusals += 1) {
      await processes[0]!.countAttempt(MUSE);
      await processes[1]!.countRefusal(MUSE);
    }
    clock.advance(MINUTE_MS);
    expect(await refusalOf(processes[0]!.countAttempt(MUSE))).toMatchObject({
      details: { retryAfter: PAYMENT_REFUSALS.seconds - 60, more: { limit: 'payment_refusals' } },
    });
    clock.advance(9 * MINUTE_MS);
    await processes[0]!.countAttempt(MUSE);
  });
});

describe('the circuit breaker', () => {
  const failing = (breaker: CircuitBreaker, times: number) =>
    Array.from({ length: times }, () => breaker.recordFailure());

  test('opens after the maximum of outages within its window', () => {
    const clock = new TestClock(NOW);
    const breaker = new CircuitBreaker(clock);
    failing(breaker, OUTAGES_MAX - 1);
    clock.advance(OUTAGES_WINDOW_MS);
    failing(breaker, 1);
    expect([breaker.canRequest(), breaker.canRequest()]).toEqual([true, true]);
    failing(breaker, OUTAGES_MAX - 1);
    expect([breaker.canRequest(), breaker.canRequest()]).toEqual([true, false]);
  });

  test('admits one probe at a time and closes when a probe succeeds', () => {
    const clock = new TestClock(NOW);
    const breaker = new CircuitBreaker(clock);
    failing(breaker, OUTAGES_MAX);
    for (let probes = 0; probes < 3; probes += 1) {
      expect([breaker.canRequest(), breaker.canRequest()]).toEqual([true, false]);
      breaker.recordFailure();
      clock.advance(5 * SECOND_MS);
    }
    clock.advance(2 * OUTAGES_WINDOW_MS);
    expect([breaker.canRequest(), breaker.canRequest()]).toEqual([true, false]);
    breaker.recordFailure();
    expect(breaker.canRequest()).toBe(false);
    breaker.recordSuccess();
    expect([breaker.canRequest(), breaker.canRequest()]).toEqual([true, true]);
  });
});
