import { expect, test } from '@jest/globals';
import { WrittenIds } from '#libs/documents/filling/written-ids.js';

test('recognises written ids in their build only, with few mistakes', () => {
  const written = new WrittenIds();
  const ids = Array.from({ length: 20_000 }, (_, at) => `muse-agent_${at}/0000000000000000${at}`);
  for (const id of ids) written.add('muses@1-b', id);
  expect(ids.every(id => written.mayHave('muses@1-b', id))).toBe(true);
  const mistakes = (build: string, suffix: string) => ids.filter(id => written.mayHave(build, id + suffix)).length;
  expect(mistakes('muses@1-c', '')).toBeLessThan(50);
  expect(mistakes('muses@1-b', 'x')).toBeLessThan(50);
});
