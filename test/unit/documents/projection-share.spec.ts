import { expect, test } from '@jest/globals';
import { assignGroups, ProjectionShare } from '#libs/documents/projection-share.js';
import { PROJECTION_GROUPS } from '#libs/features/projections.js';
import { MemoryCoordination } from '../../doubles/memory-coordination.js';
import { TestClock } from '../../doubles/test-clock.js';
import { seen } from './bench.js';

test('processes divide the projections of their own version only', async () => {
  const [coordination, clock] = [new MemoryCoordination(), new TestClock()];
  const shareOf = (me: string, version: number) => {
    const groups = ['one', 'two'].map(name => [{ ...seen(name), version }]);
    return new ProjectionShare({ coordination, clock, groups, me });
  };
  const [old, first, second] = [shareOf('old', 1), shareOf('first', 2), shareOf('second', 2)];
  await first.look();
  for (const share of [old, second]) await share.look();
  const wanted = (share: ProjectionShare) => ['one@1', 'two@1', 'one@2', 'two@2'].filter(name => share.wants(name));
  expect([wanted(old), wanted(first)]).toEqual([
    ['one@1', 'two@1'],
    ['one@2', 'two@2'],
  ]);
  expect(wanted(second)).toHaveLength(1);
});

test.each([1, 2, 3, 5, 16])('distributes all groups evenly among %i processes', count => {
  const members = Array.from({ length: count }, (_, at) => `process-${at}`);
  const shares = members.map(me => assignGroups(me, members, PROJECTION_GROUPS));
  expect(new Set(shares.flat())).toEqual(new Set(PROJECTION_GROUPS));
  expect(shares.flat()).toHaveLength(PROJECTION_GROUPS.length);
  const sizes = shares.map(({ length }) => length);
  expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
});

test('gives no group to a process that is not a member', () => {
  expect(assignGroups('late', ['a', 'b'], PROJECTION_GROUPS)).toEqual([]);
});
