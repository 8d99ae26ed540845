import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { PROJECTIONS } from '#libs/features/projections.js';

/** Tells whether an index starts with the prefix of the ids, so that one shard can serve it. */
const isInOnePlace = (idsBegin: string | undefined, [first]: readonly string[]) => first === idsBegin?.slice(0, -1);

test('docs/scale.md lists exactly the queries that read every shard', () => {
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

test('a projection declares an id prefix only if one of its indexes uses it', () => {
  for (const { name, indexes, idsBegin } of PROJECTIONS) {
    if (idsBegin === undefined) continue;
    expect([name, Object.values(indexes).some(fields => isInOnePlace(idsBegin, fields))]).toEqual([name, true]);
  }
});
