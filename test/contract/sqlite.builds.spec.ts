import { expect, test } from '@jest/globals';
import { SqliteDocumentStore } from '#libs/documents/sqlite.document-store.js';
import { LOG_START } from '#libs/kernel/event.js';
import { temporaryFolder } from '../temporary-folder.js';
import { at, NOW, profiles, TTL_MS } from './documents.samples.js';

const path = temporaryFolder();

test('ignores a build whose removal was interrupted', async () => {
  const file = path('documents.db');
  const [one, other] = [SqliteDocumentStore.open(file), SqliteDocumentStore.open(file)];
  for (const store of [one, other]) await store.open(profiles);
  const [begun] = await one.builds.begin(profiles);
  const lease = (await one.lease('fill', 'here', TTL_MS, NOW))!;
  const documents = Array.from({ length: 2_000 }, (_, n) => ({ id: `d${n}`, position: at(1), body: { score: n } }));
  const filling = { documents, from: LOG_START, to: at(1), isGentle: true };
  await one.builds.fill(begun, filling, async () => lease);
  const dropping = one.builds.drop(begun.name);
  expect((await other.builds.begin(profiles))[0].name).toBe('profiles@1-c');
  await one.close();
  await expect(dropping).rejects.toThrow();
  await other.builds.sweep(NOW);
  expect(await other.builds.reached(begun)).toBe(LOG_START);
  await other.close();
});
