import { afterEach, expect, test } from '@jest/globals';
import { commandFor } from '#libs/terminal/command-line.js';

const before = process.env['npm_lifecycle_event'];
afterEach(() => calledBy(before));

function calledBy(script: string | undefined): void {
  if (script === undefined) delete process.env['npm_lifecycle_event'];
  else process.env['npm_lifecycle_event'] = script;
}

test.each([undefined, 'npx'])('a hint names the command where it was called as one (%s)', script => {
  calledBy(script);
  expect(commandFor('start')).toBe('agent-job-network start');
  expect(commandFor('operator', 'rebuild muses')).toBe('agent-job-network operator rebuild muses');
  expect(commandFor('demo')).toBe('agent-job-network demo');
});

test.each(['start', 'operator'])('and the script where npm called it in a clone (%s)', script => {
  calledBy(script);
  expect(commandFor('start')).toBe('npm start');
  expect(commandFor('operator', 'rebuild muses')).toBe('npm run operator -- rebuild muses');
  expect(commandFor('demo')).toBe('npm run demo');
});
