import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { buildName } from '#libs/documents/build-name.js';
import { countNeeded, listFieldPosition } from '#libs/documents/index-range.js';
import { buildRangeSql } from '#libs/documents/sqlite.collection.js';
import { buildEntriesSql } from '#libs/documents/sqlite.patterns.js';
import { SqliteDocumentStore } from '#libs/documents/sqlite.document-store.js';
import { buildLookUpSql, buildMergedSql, buildOrderKeySql } from '#libs/documents/sqlite.term-intersection.js';
import { profiles } from './documents.samples.js';
import { makeFolder } from '../temporary-folder.js';

const folder = makeFolder();
const store = SqliteDocumentStore.open(join(folder, 'documents.db'));
const build = buildName(profiles, 'a');
let explain: DatabaseSyncInstance;

const planOf = (sql: string) =>
  (explain.prepare(`EXPLAIN QUERY PLAN ${sql}`).all() as { detail: string }[]).map(({ detail }) => detail);

beforeAll(async () => {
  await store.open(profiles);
  explain = new DatabaseSync(join(folder, 'documents.db'));
});
afterAll(async () => {
  explain.close();
  await store.close();
});

test('every query over a declared index uses only that index', () => {
  for (const [index, fields] of Object.entries(profiles.indexes)) {
    for (let equal = countNeeded(fields); equal <= fields.length; equal += 1)
      for (const order of ['asc', 'desc'] as const)
        for (const after of [undefined, []]) {
          const sql = buildRangeSql(build, { index, equals: fields.slice(0, equal), order, limit: 1, after }, fields);
          const plan = planOf(sql);
          const how = equal === 0 && !after ? 'SCAN' : 'SEARCH';
          const entries = '^SEARCH entry USING PRIMARY KEY ';
          const document = '^SEARCH .* USING INDEX .*id=';
          const steps = listFieldPosition(fields) < 0 ? [`^${how} .* USING INDEX `] : [entries, document];
          expect(plan).toEqual(steps.map(step => expect.stringMatching(step)));
          if (after) expect(plan[0]).toMatch(/[<>]\(?\?/);
        }
  }
});

test('an intersection uses only the index, merged in order or by row lookups', () => {
  const each = expect.stringMatching(/^SEARCH (entry|other EXISTS|profiles@1-a:\S+) USING PRIMARY KEY /);
  const document = expect.stringMatching(/^SEARCH profiles@1-a USING INDEX .*id=/);
  const isOfTexts = (step: string) => /^(LIST SUBQUERY|SCAN json_each|USE TEMP B-TREE)/.test(step);
  for (const order of ['asc', 'desc'] as const)
    for (const [hasAfter, hasUntil] of [
      [false, false],
      [true, false],
      [false, true],
      [true, true],
    ] as const)
      for (const single of [true, false]) {
        const of = { build, fields: profiles.indexes['by_tag']!, order, single, hasAfter, hasUntil };
        const [lookUp, merged] = [planOf(buildLookUpSql(of, 2)), planOf(buildMergedSql(of, 2))];
        const steps = [lookUp, merged].map(plan => plan.filter(step => single || !isOfTexts(step)));
        expect(planOf(buildOrderKeySql({ ...of, single: true }))).toEqual([each]);
        expect(steps).toEqual([
          ['CO-ROUTINE entry', each, each, each, 'SCAN entry', document],
          ['CO-ROUTINE entry', 'MERGE (INTERSECT)', 'LEFT', each, 'RIGHT', each, 'SCAN entry', document],
        ]);
      }
});

test('patterns use only the index, for prefixes and for texts', () => {
  const index = { build, fields: profiles.indexes['by_tag']! };
  const byPrefix = expect.stringMatching(/^SEARCH \S+ USING PRIMARY KEY \(f_open=\? AND f_tags>\? AND f_tags<\?\)$/);
  const byText = expect.stringMatching(/^SEARCH \S+ USING PRIMARY KEY \(f_open=\? AND f_tags=\?\)$/);
  const searches = planOf(buildEntriesSql(index, ['prefix', 'texts'])).filter(step => step.startsWith('SEARCH'));
  expect(searches).toEqual([byPrefix, byText]);
});
