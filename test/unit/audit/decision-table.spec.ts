import { describe, expect, test } from '@jest/globals';
import { DECISIONS } from '#apps/auditor/decisions/table.js';
import { RULED_TYPES } from '#libs/audit/checks/states.js';
import { EVENT_TYPES } from '#libs/streams/streams.js';

/** What stands behind another event of its own decision, and is decided by nothing alone. */
const NEVER_FIRST = ['TokenIssued'];

describe('the table of decisions', () => {
  test('says of every event type that there is how it comes about, and of no other', () => {
    expect([...DECISIONS.keys()].sort()).toEqual([...EVENT_TYPES.keys()].sort());
  });

  test('names the decision of every type, or a rule of its own that is there', () => {
    for (const [type, judged] of DECISIONS) {
      if ('rule' in judged) expect([type, RULED_TYPES.has(type), judged.rule.length > 20]).toEqual([type, true, true]);
      else expect([type, judged.by.length > 0]).toEqual([type, !NEVER_FIRST.includes(type)]);
    }
  });
});
