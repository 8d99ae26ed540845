import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { formatDecidedBy } from '#libs/endpoints/decision.js';
import { recordableDecisions } from '../registrations.js';
import { decideAgain, fromJson, outcomesOf } from '../vectors/recorded-decisions.js';
import { decisionFile, namesOfFields, pinnedFields } from '../world/record-decisions.js';

const decisions = await recordableDecisions();

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
