import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Calls, countCalls } from '../calls.js';

/** On average over so many, with what an idle moment between them asks. */
const REQUESTS = 3;

/**
 * On a machine at other work the subscription may bring what was appended too late, which is read back then. What a
 * request asks for each time is one at the least.
 */
const NOT_EACH_TIME = 1;

/**
 * What one gateway with its own projections asks EventStoreDB for. A stream that is read, or a page, costs the gateway
 * about as much as the rest of a request: who adds one sees it here.
 */
describe('calls of EventStoreDB', () => {
  let calls: Calls;
  beforeAll(async () => void (calls = await countCalls(REQUESTS)));

  test('of a free job by token are one append, and no read of a stream', () => {
    expect(calls['free job by token'].append).toBe(1);
    expect(calls['free job by token'].stream).toBeLessThan(NOT_EACH_TIME);
  });

  test('of an application are one append, and one read of a stream that may be there', () => {
    expect(calls.application.append).toBe(1);
    expect(calls.application.stream).toBeLessThan(1 + NOT_EACH_TIME);
  });

  test('of a post are one append, and no read of a stream', () => {
    expect(calls.post.append).toBe(1);
    expect(calls.post.stream).toBeLessThan(NOT_EACH_TIME);
  });

  test('of a hire are one append for the seat and one for the hire, and at most 2 reads of streams', () => {
    // What follows the seat writes the hire too where the command takes longer than it waits, as on a machine at other work.
    expect(calls.hire.append).toBeLessThan(3);
    expect(calls.hire.stream).toBeLessThanOrEqual(2);
  });

  test('of a paid job are at most 8 appends, and 5 reads of streams', () => {
    expect(calls['paid job'].append).toBeLessThanOrEqual(8);
    expect(calls['paid job'].stream).toBeLessThanOrEqual(5);
  });

  test('of a free job or a post are heads of the log one, for all that it is decided on and that follows it', () => {
    expect(calls['free job by token'].backwards).toBeLessThan(2);
    expect(calls.post.backwards).toBeLessThan(2);
    expect(calls.application.backwards).toBeLessThan(3);
  });

  test('of many free jobs at once are one append each, and heads of the log for a few together', () => {
    expect(calls['32 at once'].append).toBe(1);
    expect(calls['32 at once'].stream).toBeLessThan(NOT_EACH_TIME);
    expect(calls['32 at once'].backwards).toBeLessThan(0.5);
  });

  test('read no page of the log for health', () => {
    expect(calls.health).toMatchObject({ append: 0, stream: 0, subscription: 0 });
    expect(calls.health.forwards).toBeLessThan(NOT_EACH_TIME);
    expect(calls.health.backwards).toBeLessThanOrEqual(3);
  });

  test('of everything that follows the log are no pages, but for what began before the subscription', () => {
    for (const { forwards } of Object.values(calls)) expect(forwards).toBeLessThan(2);
  });
});
