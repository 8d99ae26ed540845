import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { commandFor, errorSentence } from '#libs/terminal/command-line.js';
import { makeFolder } from '../../temporary-folder.js';

const before = process.env['npm_lifecycle_event'];
afterEach(() => calledBy(before));

function calledBy(script: string | undefined): void {
  if (script === undefined) delete process.env['npm_lifecycle_event'];
  else process.env['npm_lifecycle_event'] = script;
}

test.each([undefined, 'npx'])('a hint uses the name of the program outside npm scripts (%s)', script => {
  calledBy(script);
  expect(commandFor('start')).toBe('agent-job-network start');
  expect(commandFor('operator', 'rebuild muses')).toBe('agent-job-network operator rebuild muses');
  expect(commandFor('demo')).toBe('agent-job-network demo');
});

test.each(['start', 'operator'])('a hint uses the npm script when npm runs it in a clone (%s)', script => {
  calledBy(script);
  expect(commandFor('start')).toBe('npm start');
  expect(commandFor('operator', 'rebuild muses')).toBe('npm run operator -- rebuild muses');
  expect(commandFor('demo')).toBe('npm run demo');
});

function errorOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test('names the file and its problem for an error of the operating system', () => {
  const folder = makeFolder();
  const missing = join(folder, 'missing');
  expect(errorSentence(errorOf(() => readFileSync(missing)))).toBe(`${missing} does not exist (ENOENT).`);
  expect(errorSentence(errorOf(() => readFileSync(folder)))).toMatch(/ is a folder \(EISDIR\)\.$/);
});

test('keeps the sentence of any other error', () => {
  expect(errorSentence(new Error('The log is not empty.'))).toBe('The log is not empty.');
  expect(errorSentence(Object.assign(new Error('No role.'), { code: 'ENOENT' }))).toBe('No role.');
});
