import { existsSync, lstatSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { temporaryFolder } from '../temporary-folder.js';

const path = temporaryFolder();

const OPEN_FILES = '/proc/self/fd';
const openFiles = () =>
  readdirSync(OPEN_FILES).flatMap(name => {
    const path = join(OPEN_FILES, name);
    return lstatSync(path, { throwIfNoEntry: false }) ? [readlinkSync(path)] : [];
  });

(existsSync(OPEN_FILES) ? test : test.skip)('keeps the pages of a secret file out of temporary files', () => {
  const schema = `CREATE TABLE texts (text TEXT NOT NULL);
    CREATE TABLE copies (text TEXT NOT NULL);
    CREATE TRIGGER copied AFTER UPDATE ON texts BEGIN INSERT INTO copies VALUES (new.text); END`;
  for (const isSecret of [false, true]) {
    const options = { component: 'Any store', synchronous: 'FULL', schema, isSecret } as const;
    const store = Sqlite.open(path(`any-${isSecret}.db`), options);
    const insert = store.prepare('INSERT INTO texts VALUES (?)');
    store.write(() => Array.from({ length: 200 }, () => insert.run('a'.repeat(2_000))));
    const temporary = store.write(() => {
      store.exec("UPDATE texts SET text = text || 'b'");
      return openFiles().filter(name => name.includes('etilqs'));
    });
    expect(temporary).toHaveLength(isSecret ? 0 : 1);
    store.close();
  }
});
