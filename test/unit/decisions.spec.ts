import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { DECISIONS } from '#apps/auditor/decision-table.js';
import { formatDecidedBy, type Decision } from '#libs/endpoints/decision.js';
import { decideAgain, fromJson, outcomesOf } from '../vectors/recorded-decisions.js';
import { decisionFile, namesOfFields, pinnedFields } from '../world/record-decisions.js';

/** A command that is always paid writes nothing itself, so there is nothing to record. */
const decisions = [...DECISIONS.values()].filter(
  (judged): judged is Decision => 'decide' in judged && judged.writes.length > 0,
);

test('every version of every decision is recorded', () => {
  const missing = decisions.filter(decision => !existsSync(decisionFile(decision))).map(formatDecidedBy);
  expect(missing.map(each => `RECORD_DECISIONS=${each} npm run test:jest -- test/flows records it`)).toEqual([]);
});

test('every recorded version is in the rules', () => {
  const files = new Set(decisions.map(decision => decisionFile(decision).href));
  const folder = new URL('../vectors/decisions/', import.meta.url);
  expect(readdirSync(folder).filter(name => !files.has(new URL(name, folder).href))).toEqual([]);
  const names = new Set(decisions.map(formatDecidedBy));
  expect(Object.keys(pinnedFields()).filter(name => !names.has(name))).toEqual([]);
});

describe.each(
  decisions.filter(decision => existsSync(decisionFile(decision))).map(each => [formatDecidedBy(each), each] as const),
)('%s', (_name, decision) => {
  const recorded = fromJson(readFileSync(decisionFile(decision), 'utf8'));

  test('reads only the fields pinned for its version', () => {
    expect(namesOfFields(decision)).toEqual(pinnedFields()[formatDecidedBy(decision)]);
  });

  test('decides as recorded for its version', () => {
    for (const { outcome, variants: _variants, ...seen } of recorded)
      expect(JSON.parse(JSON.stringify(decideAgain(decision, seen)))).toEqual(outcome);
  });

  test('decides as recorded for another actor, empty streams and texts at each limit', () => {
    for (const { outcome: _outcome, variants, ...seen } of recorded)
      expect(outcomesOf(Object.keys(variants), decision, seen)).toEqual(variants);
  });
});
