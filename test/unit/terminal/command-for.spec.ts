import { afterEach, expect, test } from '@jest/globals';
import { commandFor } from '#libs/terminal/command-line.js';

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
