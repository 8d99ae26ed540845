import { describe, expect, test } from '@jest/globals';
import { type AuditableDecision, buildDecisionTable, NotReplayable } from '#libs/endpoints/decision.js';
import { EVENT_TYPES } from '#libs/features/streams.js';
import { Muse, Reinstated, Suspended } from '#libs/domain/muse.js';
import { HonestLog, THIRD, verify } from './honest-log.js';

describe('the audit of decisions', () => {
  const honest = HonestLog.told().then(log => log.shown());
  const decided = async (...all: AuditableDecision[]) => {
    const verified = await verify(await honest, { decisions: buildDecisionTable(all) });
    const findings = verified.findings.list.filter(({ kind }) => kind === 'decision' || kind === 'unknown_rule');
    return { counts: verified.decisions, problems: new Set(findings.map(({ problem }) => problem)) };
  };
  const named = { name: 'test', rule: 'It is a test, and stands.' };
  const types = [...EVENT_TYPES.keys()];

  test('reports a rule that this build does not know once', async () => {
    const { counts, problems } = await decided({ ...named, version: 2, writes: types, causes: [] });
    expect(counts).toEqual({
      again: 0,
      by_rule: 0,
      undecided: 0,
      lacking: (await honest).length,
      lacking_rules: ['test@1'],
    });
    expect([...problems]).toEqual([
      'It was decided by test@1, a rule that this auditor does not know. Use a newer auditor.',
    ]);
  });

  test('reports an event type that its decision may not write', async () => {
    const { counts, problems } = await decided({ ...named, version: 1, writes: ['Paid'], causes: ['<text>'] });
    expect(counts).toMatchObject({ by_rule: 1, lacking: 0 });
    const wrongTypes = [...problems].map(
      problem => /^It names the decision test@1, which cannot write (\w+)\.$/.exec(problem)?.[1],
    );
    expect(wrongTypes).toContain('Hired');
    expect(wrongTypes).not.toContain('Paid');
    expect(wrongTypes).not.toContain(undefined);
  });

  test('checks event types even if the decision cannot be replayed', async () => {
    const log = await HonestLog.told();
    await log.service(Muse.streamName(THIRD), 'says', Suspended({ muse_id: THIRD }), Reinstated({ muse_id: THIRD }));
    const decide = () => {
      throw new NotReplayable('It is private.');
    };
    const unknown = {
      name: 'test',
      version: 1,
      causes: [],
      writes: types.filter(type => type !== 'Reinstated'),
      decide,
    };
    const verified = await verify(await log.shown(), { decisions: buildDecisionTable([unknown]) });
    expect(verified.findings.list.filter(({ kind }) => kind === 'decision')).toMatchObject([
      { type: 'Reinstated', problem: 'It names the decision test@1, which cannot write Reinstated.' },
    ]);
  });
});
