import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { FILE_MODE, replaceFile } from '#apps/agent/private-files.js';
import { makeFolder } from '../../temporary-folder.js';

test('replaces a file although an earlier process left its temporary file', () => {
  const folder = makeFolder();
  const path = join(folder, 'identity.json');
  writeFileSync(`${path}.${process.pid}`, 'incomplete', { mode: 0o644 });
  replaceFile(path, 'complete');
  expect(readFileSync(path, 'utf8')).toBe('complete');
  expect(statSync(path).mode & 0o777).toBe(FILE_MODE);
  expect(readdirSync(folder)).toEqual(['identity.json']);
});
