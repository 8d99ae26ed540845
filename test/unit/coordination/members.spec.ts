import { expect, test } from '@jest/globals';
import { Members } from '#libs/platform/coordination/members.js';
import { MemoryCoordination } from '../../doubles/memory-coordination.js';
import { TestClock } from '../../doubles/test-clock.js';

const KEPT_MS = 9_000;

function shared() {
  const [coordination, clock] = [new MemoryCoordination(), new TestClock()];
  const member = (name: string, group = 'work') =>
    new Members(coordination, clock, { group, member: name, ttlMs: KEPT_MS });
  return { clock, member };
}

test('members that join together see each other, but not those of other work', async () => {
  const { member } = shared();
  const all = ['a', 'b', 'c', 'd'];
  await Promise.all([...all.map(name => member(name).join()), member('x', 'other work').join()]);
  expect(await member('a').join()).toEqual(all);
});

test('a member stays while it renews and expires when it does not', async () => {
  const { member, clock } = shared();
  const [living, killed] = [member('living'), member('killed')];
  await Promise.all([living.join(), killed.join()]);
  for (const ms of [KEPT_MS / 2, KEPT_MS / 2 - 1]) {
    clock.advance(ms);
    expect(await living.join()).toEqual(['killed', 'living']);
  }
  clock.advance(1);
  expect(await living.join()).toEqual(['living']);
});

test('a member that leaves is gone at once; leaving without joining does nothing', async () => {
  const { member } = shared();
  await member('never there').leave();
  const [a, b] = [member('a'), member('b')];
  await Promise.all([a.join(), b.join()]);
  await a.leave();
  expect(await b.join()).toEqual(['b']);
});
