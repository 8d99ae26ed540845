import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Calls, countCalls } from '../calls.js';

/** On average over so many, with what an idle moment between them asks. */
const REQUESTS = 3;

/**
 * What one gateway with its own projections asks EventStoreDB for. A stream that is read, or a page, costs the gateway
 * about as much as the rest of a request: who adds one sees it here.
 */
describe('calls of EventStoreDB', () => {
  let calls: Calls;
  beforeAll(async () => void (calls = await countCalls(REQUESTS)));

  test('of a free job by token are one append, and 4 reads of streams', () => {
    expect(calls['free job by token']).toMatchObject({ append: 1, stream: 4 });
  });

  test('of an application are one append, and 7 reads of streams', () => {
    expect(calls.application).toMatchObject({ append: 1, stream: 7 });
  });

  test('of a post are one append, and 3 reads of streams', () => {
    expect(calls.post).toMatchObject({ append: 1, stream: 3 });
  });

  test('of a hire are at most 3 appends, and 8 reads of streams', () => {
    expect(calls.hire.append).toBeLessThanOrEqual(3);
    expect(calls.hire.stream).toBeLessThanOrEqual(8);
  });

  test('of a paid job are at most 8 appends, and 30 reads of streams', () => {
    expect(calls['paid job'].append).toBeLessThanOrEqual(8);
    expect(calls['paid job'].stream).toBeLessThanOrEqual(30);
  });
});
