import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { PROJECTIONS } from '#libs/features/projections.js';

/** An index is asked for in one place where it begins with what ids begin with. */
const isInOnePlace = (idsBegin: string | undefined, [first]: readonly string[]) => first === idsBegin?.slice(0, -1);

test('what every shard is asked for stands on the page about scale, and nothing else does', () => {
  const page = readFileSync('docs/scale.md', 'utf8');
  const [section = ''] = page.split('## On several shards\n')[1]?.split(/^## /m) ?? [];
  const named = [...section.matchAll(/`([a-z_]+)\.([A-Za-z_, ]+)`/g)].flatMap(([, name, indexes]) =>
    indexes!.split(', ').map(index => `${name}.${index}`),
  );
  const everywhere = PROJECTIONS.flatMap(({ name, indexes, idsBegin }) =>
    Object.entries(indexes).flatMap(([index, fields]) => (isInOnePlace(idsBegin, fields) ? [] : [`${name}.${index}`])),
  );
  expect(named.sort()).toEqual(everywhere.sort());
});

test('a projection says what its ids begin with where a list of its own needs it', () => {
  for (const { name, indexes, idsBegin } of PROJECTIONS) {
    if (idsBegin === undefined) continue;
    expect([name, Object.values(indexes).some(fields => isInOnePlace(idsBegin, fields))]).toEqual([name, true]);
  }
});
