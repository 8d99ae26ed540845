import { describe, expect, test } from '@jest/globals';
import type { IndexRange } from '#libs/documents/document-store.port.js';
import { checkIds } from '#libs/documents/index-range.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { compareFit, compareFitAndReplies, Candidates, skillsIn } from '#libs/features/delegation/candidates.js';
import { CANDIDATES_MAX } from '#libs/features/jobs/domain/job.js';
import { candidateView } from '#libs/features/delegation/views/candidate.shape.js';

const NOBODY = { muse_id: '', proven: [], listed: [], open_to_work: false, reply_rate: null, since: '1' };
const candidate = (muse_id: string, changed: object) => ({ ...NOBODY, muse_id, ...changed });

describe('the order of candidates', () => {
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

  test('prefers proven skills, then listed skills, then open to work, then replies', () => {
    const mixed = [...inOrder].reverse();
    expect(mixed.sort(compareFitAndReplies).map(({ muse_id }) => muse_id)).toEqual(
      inOrder.map(({ muse_id }) => muse_id),
    );
  });

  test('starts with the newest of equal candidates', () => {
    const [early, late] = [candidate('early', { since: '1' }), candidate('late', { since: '2' })];
    expect([early, late].sort(compareFit)).toEqual([late, early]);
  });

  test('comes with reasons in words', () => {
    const reasons = (changed: object) => candidateView(candidate('agent', changed)).reasons;
    expect(reasons({ proven: ['french'], listed: ['french', 'ocr'], open_to_work: true, reply_rate: 90 })).toEqual([
      'has proven french',
      'lists ocr',
      'is open to work',
      'answers 90 % of the agents that write to it',
    ]);
    expect(reasons({ listed: ['french', 'ocr'] })).toEqual(['lists french, ocr']);
  });
});

/** Documents in which each skill is listed by as many muses as requested, each with one skill. */
function crowd() {
  const person = (id: string) => ({
    muse_id: id,
    skills: [id.split('.')[0]],
    open: true,
    listed: true,
    since: id,
    earlier: null,
  });
  const find = ({ equals, limit }: IndexRange) => {
    const ids = Array.from({ length: limit }, (_, at) => `${String(equals.at(-1))}.${at}`);
    return Promise.resolve(ids.map(id => ({ id, body: { ...person(id), hires: 0 } })));
  };
  const getMany = async (ids: string[]) => {
    checkIds(ids);
    return ids.map(id => ({ id, body: person(id) }));
  };
  const none = { get: async () => undefined, find: async () => [], getMany: async () => [] };
  const of = ({ name }: { readonly name: string }) =>
    name === 'people' || name === 'muses' ? { find, getMany } : none;
  return { of, waitForAnswered: async () => undefined } as unknown as ReadModels;
}

test('finds matching agents even if many skills have many agents', async () => {
  const task = Array.from({ length: 40 }, (_, at) => `skill${at}`).join(' ');
  const candidates = await new Candidates(crowd()).find({ poster: 'agent_poster0000', skills: [], task });
  expect(candidates).toHaveLength(CANDIDATES_MAX);
  expect(candidates[0]).toMatchObject({ listed: [expect.stringMatching(/^skill/)], open_to_work: true });
});

describe('the possible skills of a task', () => {
  test('are its words and each pair of adjacent words', () => {
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

  test('are found in its first forty words', () => {
    expect(skillsIn(`${'word '.repeat(40)}french`)).toEqual(['word', 'word word']);
  });
});
