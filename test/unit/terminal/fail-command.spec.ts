import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { errorSentence } from '#libs/terminal/command-line.js';

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
    expect(errorSentence(errorOf(() => readFileSync(missing)))).toBe(`${missing} does not exist (ENOENT).`);
    expect(errorSentence(errorOf(() => readFileSync(folder)))).toMatch(/ is a folder \(EISDIR\)\.$/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('keeps the sentence of any other error', () => {
  expect(errorSentence(new Error('The log is not empty.'))).toBe('The log is not empty.');
  expect(errorSentence(Object.assign(new Error('No role.'), { code: 'ENOENT' }))).toBe('No role.');
});
