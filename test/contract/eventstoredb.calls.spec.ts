import { beforeAll, describe, expect, test } from '@jest/globals';
import { HOUR_MS } from '#libs/kernel/clock.js';
import { type Calls, countCalls } from '../eventstoredb-calls.js';

/** Timed passes read the log too: none comes during the requests that are counted. */
const WITHOUT_PASSES = { dueEveryMs: HOUR_MS, payments: { timing: { watchMs: HOUR_MS } } };
/** Number of requests to average over. */
const REQUESTS = 3;

/** A late subscription costs an occasional read; a read by every request averages at least 1. */
const NOT_EACH_TIME = 1;

/** Limits the EventStoreDB calls of a gateway: each extra read costs as much as the rest of a request. */
describe('the number of EventStoreDB calls', () => {
  let calls: Calls;
  beforeAll(async () => void (calls = await countCalls(REQUESTS, WITHOUT_PASSES)));

  test('is one append and no stream read for a free job by token', () => {
    expect(calls['free job by token'].append).toBe(1);
    expect(calls['free job by token'].stream).toBeLessThan(NOT_EACH_TIME);
  });

  test('is one append and one read of an optional stream for an application', () => {
    expect(calls.application.append).toBe(1);
    expect(calls.application.stream).toBeLessThan(1 + NOT_EACH_TIME);
  });

  test('is one append and no stream read for a post', () => {
    expect(calls.post.append).toBe(1);
    expect(calls.post.stream).toBeLessThan(NOT_EACH_TIME);
  });

  test('is one append each for seat and hire and at most two stream reads for a hire', () => {
    // On a slow machine the reaction to the seat appends the hire a second time.
    expect(calls.hire.append).toBeLessThan(3);
    expect(calls.hire.stream).toBeLessThanOrEqual(2);
  });

  test('is 6 appends and at most 3 stream reads for a paid job', () => {
    expect(calls['paid job'].append).toBe(6);
    expect(calls['paid job'].stream).toBeLessThanOrEqual(3);
  });

  test('includes one head of the log for a free job or a post', () => {
    expect(calls['free job by token'].backwards).toBeLessThan(2);
    expect(calls.post.backwards).toBeLessThan(2);
    // Applying also asks whether the poster has blocked the applicant.
    expect(calls.application.backwards).toBeLessThan(4 + NOT_EACH_TIME);
  });

  test('is one append each for concurrent free jobs, which share heads of the log', () => {
    expect(calls['32 at once'].append).toBe(1);
    expect(calls['32 at once'].stream).toBeLessThan(NOT_EACH_TIME);
    expect(calls['32 at once'].backwards).toBeLessThan(0.5);
  });

  test('includes no page of the log for the health', () => {
    expect(calls.health).toMatchObject({ append: 0, stream: 0, subscription: 0 });
    expect(calls.health.forwards).toBeLessThan(NOT_EACH_TIME);
    // Heads of log and stream of the service, which has the moves of clocks.
    expect(calls.health.backwards).toBeLessThanOrEqual(4);
  });

  test('includes no pages for followers once they are subscribed', () => {
    for (const { forwards } of Object.values(calls)) expect(forwards).toBeLessThan(2);
  });
});
