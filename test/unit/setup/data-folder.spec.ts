import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { SqliteCoordination } from '#libs/platform/coordination/sqlite.coordination.js';
import { prepareDataFolder, lockDataFolder, shareDataFolder } from '#libs/setup/data-folder.js';
import { readSettings } from '#libs/setup/settings.js';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'kept-'))));
afterEach(() => rmSync(folder, { recursive: true }));

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
