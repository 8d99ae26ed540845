import { chmodSync, mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { SqliteCoordination } from '#libs/platform/coordination/sqlite.coordination.js';
import { storeUnavailable } from '#libs/platform/sqlite/faults.js';
import { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { SqliteVault } from '#libs/platform/vault/sqlite.vault.js';
import { prepareDataFolder, lockDataFolder, shareDataFolder } from '#libs/setup/data-folder.js';
import { readSettings } from '#libs/setup/settings.js';
import { openStores } from '#libs/setup/stores.js';
import { openIssuer } from './open-issuer.js';
import { makeFolder } from '../../temporary-folder.js';

let folder: string;
beforeEach(() => void (folder = makeFolder()));

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

test('a new data folder is only accessible to its owner', () => {
  const made = join(folder, 'a', 'data');
  prepareDataFolder(made);
  expect(modeOf(made)).toBe('700');
});

test('reports a data folder that cannot be created with its setting', () => {
  expect(() => prepareDataFolder('/proc/nope/data')).toThrow(/^DATA_DIR: \/proc\/nope cannot be created \(ENOENT\)\.$/);
});

test('reports a data folder that is not writable with its setting', () => {
  const sentence = /^DATA_DIR: \/proc\/self cannot be written \(.+\)\.$/;
  expect(() => lockDataFolder('/proc/self')).toThrow(sentence);
  expect(() => shareDataFolder(readSettings({ DATA_DIR: '/proc/self' }))).toThrow(sentence);
});

test('restricts an existing data folder and its files to their owner', () => {
  const data = join(folder, 'data');
  mkdirSync(join(data, 'chain'), { recursive: true });
  writeFileSync(join(data, 'coordination.db'), '');
  chmodSync(join(data, 'coordination.db'), 0o644);
  chmodSync(data, 0o755);
  prepareDataFolder(data);
  expect([modeOf(data), modeOf(join(data, 'coordination.db'))]).toEqual(['700', '600']);
});

test('creates the files of a store accessible only to their owner', async () => {
  const file = join(folder, 'state.db');
  const state = SqliteCoordination.open(file);
  await state.putIfAbsent('a', 'b', 2, 1);
  expect([file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual(['600', '600', '600']);
  await state.close();
});

test('a data folder can be used by one service at a time', () => {
  const unlock = lockDataFolder(folder);
  expect(() => lockDataFolder(folder)).toThrow(
    `Another service already runs on ${folder}. Stop it, or set another DATA_DIR.`,
  );
  unlock();
  lockDataFolder(folder)();
});

test('a lock of a data folder does not lock other folders', () => {
  const other = join(folder, 'other');
  mkdirSync(other);
  const unlocks = [lockDataFolder(folder), lockDataFolder(other)];
  unlocks.forEach(unlock => unlock());
});

test('refuses a log whose issuer key the vault lacks and writes no secret', async () => {
  const settings = readSettings({ DATA_DIR: folder });
  const stores = await openStores(settings);
  await openIssuer(stores);
  await stores.close();
  for (const ending of ['', '-wal', '-shm']) rmSync(join(folder, `vault.db${ending}`), { force: true });

  await expect(openStores(settings)).rejects.toThrow("The vault does not hold the log's current issuer key");
  const vault = SqliteVault.open(join(folder, 'vault.db'));
  expect(await vault.list('', 10)).toEqual([]);
  await vault.close();
});

test('a disk without room for the shared memory of SQLite is full', () => {
  const error = Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 4_874 });
  expect(storeUnavailable('The vault', error).message).toBe('The vault cannot be written: its disk is full.');
});

test('reports a full disk when SQLite runs out of space', () => {
  const file = Sqlite.open(join(folder, 'full.db'), { component: 'The vault', synchronous: 'FULL' });
  file.exec('CREATE TABLE entry (value BLOB)');
  file.prepare('PRAGMA max_page_count = 4').all();
  expect(() => file.exec('INSERT INTO entry VALUES (zeroblob(1000000))')).toThrow(
    'The vault cannot be written: its disk is full.',
  );
  file.close();
});
