import { expect, jest, test } from '@jest/globals';
import { waitForReadModels } from '#libs/documents/wait-for-read-models.js';
import type { ReadModels } from '#libs/documents/read-models.js';
import { Unavailable } from '#libs/kernel/refusal.js';
import { Roles } from '#libs/features/jobs/views/roles.js';

const [BEFORE, AT] = ['1', '2'] as const;

/** Read models that reach a position or not, with the position of a named projection. */
function models(comes: boolean, named = AT as string) {
  const reach = jest.fn<ReadModels['waitForPosition']>().mockResolvedValue(comes);
  const position = jest.fn<ReadModels['position']>().mockResolvedValue(named);
  return { documents: { waitForPosition: reach, position } as unknown as ReadModels, reach };
}

test('waits until the documents contain the log, or fails as unavailable', async () => {
  const { documents, reach } = models(true);
  expect(await waitForReadModels(documents, AT)).toBe(documents);
  expect(reach).toHaveBeenCalledWith(AT, 10_000);
  await expect(waitForReadModels(models(false).documents, AT)).rejects.toThrow(Unavailable);
});

test('fails as unavailable if the named projection stopped earlier', async () => {
  const { documents } = models(true);
  expect(await waitForReadModels(documents, AT, Roles)).toBe(documents);
  await expect(waitForReadModels(models(true, BEFORE).documents, AT, Roles)).rejects.toThrow(Unavailable);
});
