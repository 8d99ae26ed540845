import { describe, expect, test } from '@jest/globals';
import { DECISIONS } from '#libs/service/decision-table.js';
import { RULES } from '#libs/audit/checks/states.js';
import { buildDecisionTable } from '#libs/endpoints/decision.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

describe('the decision table', () => {
  test('covers exactly the known event types', () => {
    const written = [...DECISIONS.values()].flatMap(({ writes }) => writes);
    expect([...new Set(written)].sort()).toEqual([...EVENT_TYPES.keys()].sort());
  });

  test('has a rule for each decision that cannot be replayed', () => {
    for (const judged of DECISIONS.values()) {
      if (!('rule' in judged)) continue;
      expect(judged.rule.length).toBeGreaterThan(20);
      for (const type of judged.writes) expect([type, RULES.has(type)]).toEqual([type, true]);
    }
  });

  test('rejects two decisions with the same name and version', () => {
    const hire = { name: 'hire', version: 1, writes: [], causes: [], rule: 'none' };
    expect([...buildDecisionTable([hire, { ...hire, version: 2 }]).keys()]).toEqual(['hire@1', 'hire@2']);
    expect(() => buildDecisionTable([hire, hire])).toThrow('same name and version');
  });
});
