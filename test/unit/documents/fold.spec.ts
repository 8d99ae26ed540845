import { expect, test } from '@jest/globals';
import { changesOf, fold, ProjectionError, listChangedIds } from '#libs/documents/fold.js';
import { ClaimLost } from '#libs/domain/muse.js';
import type { Projection } from '#libs/kernel/projection.js';
import { asEvents } from '../../given.js';
import { seen } from './bench.js';

const [one, two, three] = asEvents(['one', 'two', 'three'].map(claim => ClaimLost({ claim })));
const projection = seen('seen') as unknown as Projection;
const NONE = new Map();

test('a batch touches each document once', () => {
  expect(listChangedIds(changesOf(projection, [one!, two!, three!]))).toEqual(['all']);
  expect(listChangedIds(changesOf(projection, []))).toEqual([]);
});

test('a document has the position of the last event that changed it', () => {
  const [document] = fold(projection, [one!, two!], NONE);
  expect(document).toEqual({ id: 'all', position: two!.position, body: { seen: ['one', 'two'] } });
});

test('a document skips events that it contains', () => {
  const [before] = fold(projection, [one!, two!], NONE);
  const documents = new Map([['all', before as never]]);
  expect(fold(projection, [one!, two!], documents)).toEqual([]);
  expect(fold(projection, [one!, two!, three!], documents)[0]!.body).toEqual({ seen: ['one', 'two', 'three'] });
});

test('a removed document starts empty at the next event', () => {
  const removing: Projection = {
    ...projection,
    evolve: (document, event, id) => (event === two ? null : projection.evolve(document, event, id)),
  };
  expect(fold(removing, [one!, two!], NONE)[0]!.body).toBeNull();
  expect(fold(removing, [one!, two!, three!], NONE)[0]!.body).toEqual({ seen: ['three'] });
});

test('a poison event is reported with its projection and error', () => {
  const poisoned = seen('poisoned', 'two') as unknown as Projection;
  expect(() => fold(poisoned, [one!, two!], NONE)).toThrow(ProjectionError);
  expect(() => fold(poisoned, [one!, two!], NONE)).toThrow(
    /^poisoned cannot take ClaimLost [-0-9a-f]{36} at 0+2: Error: no two here$/,
  );
  const keyless = { ...projection, keys: () => (null as unknown as { ids: string[] }).ids };
  expect(() => listChangedIds(changesOf(keyless, [one!]))).toThrow(ProjectionError);
});
