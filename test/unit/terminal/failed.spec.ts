import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { sentenceOf } from '#libs/terminal/failed.js';

function errorOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test('names the file and its problem for an error of the operating system', () => {
  const folder = mkdtempSync(join(tmpdir(), 'failed-'));
  try {
    const missing = join(folder, 'missing');
    expect(sentenceOf(errorOf(() => readFileSync(missing)))).toBe(`${missing} does not exist (ENOENT).`);
    expect(sentenceOf(errorOf(() => readFileSync(folder)))).toMatch(/ is a folder \(EISDIR\)\.$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('keeps the sentence of any other error', () => {
  expect(sentenceOf(new Error('The log is not empty.'))).toBe('The log is not empty.');
  expect(sentenceOf(Object.assign(new Error('No role.'), { code: 'ENOENT' }))).toBe('No role.');
});
