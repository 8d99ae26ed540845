import { describe, expect, test } from '@jest/globals';
import { byFit, byFitAndReplies, skillsIn } from '#libs/features/jobs/candidates.js';
import { shownCandidate } from '#libs/views/shapes/candidate.js';

const NOBODY = { muse_id: '', proven: [], listed: [], open_to_work: false, reply_rate: null, since: '1' };
const candidate = (muse_id: string, changed: object) => ({ ...NOBODY, muse_id, ...changed });

describe('of candidates', () => {
  const inOrder = [
    candidate('two proven', { proven: ['a', 'b'] }),
    candidate('one proven, one listed', { proven: ['a'], listed: ['a', 'b'] }),
    candidate('one proven', { proven: ['a'], open_to_work: true }),
    candidate('two listed', { listed: ['a', 'b'] }),
    candidate('open to work', { listed: ['a'], open_to_work: true }),
    candidate('answers always', { listed: ['a'], reply_rate: 100 }),
    candidate('answers never', { listed: ['a'], reply_rate: 0 }),
    candidate('was never asked', { listed: ['a'] }),
  ];

  test('the one with more proven skills comes first, then with more of them, who is open to work, who answers', () => {
    const mixed = [...inOrder].reverse();
    expect(mixed.sort(byFitAndReplies).map(({ muse_id }) => muse_id)).toEqual(inOrder.map(({ muse_id }) => muse_id));
  });

  test('that fit as well the one that joined last is looked at first', () => {
    const [early, late] = [candidate('early', { since: '1' }), candidate('late', { since: '2' })];
    expect([early, late].sort(byFit)).toEqual([late, early]);
  });

  test('the reasons are said in words', () => {
    const reasons = (changed: object) => shownCandidate(candidate('agent', changed)).reasons;
    expect(reasons({ proven: ['french'], listed: ['french', 'ocr'], open_to_work: true, reply_rate: 90 })).toEqual([
      'has proven french',
      'lists ocr',
      'is open to work',
      'answers 90 % of those who write to it',
    ]);
    expect(reasons({ listed: ['french', 'ocr'] })).toEqual(['lists french, ocr']);
  });
});

describe('the skills that a task may name', () => {
  test('are its words, and each two that follow one another', () => {
    expect(skillsIn('Image editing, in French.')).toEqual([
      'image',
      'editing',
      'in',
      'french',
      'image editing',
      'editing in',
      'in french',
    ]);
  });

  test('are looked for in its first forty words', () => {
    expect(skillsIn(`${'word '.repeat(40)}french`)).toEqual(['word', 'word word']);
  });
});
