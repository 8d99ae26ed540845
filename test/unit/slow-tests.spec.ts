import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import SlowTests from '../setup/slow-tests.mjs';

test('a run names its tests of more than 20 s that have no reason to be slow', () => {
  const slow = new SlowTests();
  for (const file of ['test/flows/feed.spec.ts', 'test/faults/crash.spec.ts'])
    for (const duration of [20_000, 21_400])
      slow.onTestResult(null, { testFilePath: resolve(file), testResults: [{ fullName: 'a test', duration }] });
  expect(slow.lines).toEqual(['21 s  test/flows/feed.spec.ts: a test']);
});
