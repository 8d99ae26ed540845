import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { beforeEach, expect, test } from '@jest/globals';
import { readArguments } from '#apps/operator/arguments.js';
import { runCommand } from '#apps/operator/commands.js';
import { openSource } from '#apps/auditor/source.js';
import { LOG_START } from '#libs/kernel/event.js';
import { SqliteEventLog } from '#libs/event-log/sqlite.event-log.js';
import { SqliteVault } from '#libs/platform/vault/sqlite.vault.js';
import { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { readSettings } from '#libs/setup/settings.js';
import { explainStoreOutage } from '#libs/setup/store-places.js';
import { openStores } from '#libs/setup/stores.js';
import { event } from '../../contract/samples.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { openIssuer } from './open-issuer.js';

const at = temporaryFolder();
const PAGE_BYTES = 4_096;
const STREAM = 'job-damaged';
const settings = () => readSettings({ DATA_DIR: at('data'), PORT: '1' });

beforeEach(async () => {
  const stores = await openStores(settings());
  await openIssuer(stores);
  await stores.close();
  const log = SqliteEventLog.open(at('data/events.db'));
  for (let count = 0; count < 120; count += 1)
    await log.append(STREAM, 'any', [event(STREAM, `${count}`, { data: 'x'.repeat(500) })]);
  await log.close();
  const vault = SqliteVault.open(at('data/vault.db'));
  for (let count = 0; count < 400; count += 1) await vault.putIfAbsent(`key/${count}`, Buffer.alloc(32));
  await vault.close();
});

/** Overwrites whole pages; the first page is number 0. */
function damage(file: string, pages: readonly number[], pageBytes = PAGE_BYTES): void {
  const descriptor = openSync(file, 'r+');
  for (const page of pages) writeSync(descriptor, Buffer.alloc(pageBytes, 0xab), 0, pageBytes, page * pageBytes);
  closeSync(descriptor);
}

const operator = (...argv: string[]) => runCommand(readArguments(argv)!, settings());
const explained = async (work: Promise<unknown>) =>
  ((await explainStoreOutage(await work.catch((error: unknown) => error), settings())) as Error).message;

test.each([
  ['events', 'The event log is damaged. Restore a backup into an empty DATA_DIR'],
  ['vault', 'The vault is damaged. Restore a backup into an empty DATA_DIR'],
  ['documents', 'The document store is damaged. Delete '],
  ['coordination', 'The shared state is damaged. Delete '],
])('a start and the doctor name the damaged %s.db and what to do', async (store, sentence) => {
  const file = at(`data/${store}.db`);
  damage(file, [1, 2, 3], store === 'coordination' ? 1_024 : PAGE_BYTES);
  expect(await explained(openStores(settings()))).toContain(sentence);
  const { text, ok } = await operator('doctor');
  expect(ok).toBe(false);
  expect(text).toContain(sentence);
  expect(text).toContain(file);
});

test('a backup and an auditor name the damaged event log and what to do', async () => {
  const file = at('data/events.db');
  const pages = statSync(file).size / PAGE_BYTES;
  damage(
    file,
    Array.from({ length: pages - 8 }, (_, index) => index + 8),
  );
  const sentence = /^The event log is damaged\. Restore a backup into an empty DATA_DIR: .* The file is /;
  expect(await explained(operator('backup', at('backup')))).toMatch(sentence);
  const source = await openSource(undefined, settings());
  const events = source.events({} as never);
  const reading = events[Symbol.asyncIterator]().next();
  expect(await explained(reading)).toMatch(sentence);
});

test('a log refuses every call after it read a damaged page', async () => {
  damage(at('data/events.db'), [12, 14, 16, 18, 20]);
  const log = SqliteEventLog.open(at('data/events.db'));
  await log.head();
  const isDamaged = 'The event log is damaged.';
  await expect(log.readAll(LOG_START, 1_000)).rejects.toThrow(isDamaged);
  await expect(log.append('job-other', 'none', [event('job-other', 'first')])).rejects.toThrow(isDamaged);
  await expect(log.head()).rejects.toThrow(isDamaged);
  await log.close();
});

test('a log is damaged if an event cannot be parsed', async () => {
  const file = Sqlite.open(at('data/events.db'), { component: 'The test', synchronous: 'FULL' });
  file.exec("UPDATE events SET body = 'no JSON' WHERE position = 7");
  file.close();
  const log = SqliteEventLog.open(at('data/events.db'));
  await expect(log.read(STREAM)).rejects.toThrow('The event log is damaged.');
  await expect(log.append('job-other', 'none', [event('job-other', 'first')])).rejects.toThrow(
    'The event log is damaged.',
  );
  await log.close();
});
