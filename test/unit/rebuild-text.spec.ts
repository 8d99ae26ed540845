import { expect, test } from '@jest/globals';
import { rebuildText } from '#apps/operator/rebuild.js';
import type { RebuiltProjection } from '#libs/documents/rebuild/rebuild.js';

const muses: RebuiltProjection = {
  name: 'muses',
  version: 1,
  build: 'muses@1-b',
  resumed_from: null,
  position: '9',
  switched: true,
  failed: null,
  parity: null,
};
const textOf = (more: Partial<RebuiltProjection>) =>
  rebuildText({ dry_run: false, events: 9, seconds: 1, held_ms: 2, projections: [{ ...muses, ...more }] }).split('\n');

test('names the differences and the number of further differences', () => {
  const counts = { compared: 300, only_in_live: 1, only_in_new: 0, different: 249 };
  const differences = [
    { id: 'a', kind: 'only_in_live', fields: [] },
    { id: 'b', kind: 'different', fields: ['name', 'jobs.0'] },
  ] as const;
  const text = textOf({ parity: { ...counts, differences } });
  expect(text.slice(0, -1)).toEqual([
    'muses@1: the new documents are live; of 300 documents, 1 exist only in the old build, 0 only in the new, and 249 differ:',
    '    a: only_in_live',
    '    b: different name, jobs.0',
    '    and 248 more',
  ]);
  const all = textOf({ parity: { ...counts, different: 1, differences } });
  expect(all.slice(1, -1)).toEqual(text.slice(1, 3));
});

test('reports a resumed and failed projection', () => {
  const text = textOf({ resumed_from: '4', switched: false, failed: 'no such event' });
  expect(text[0]).toBe('muses@1: resumed from position 4; not rebuilt: no such event');
  expect(text.at(-1)).toMatch(/^An interrupted rebuild was resumed. Use --start-over /);
});
