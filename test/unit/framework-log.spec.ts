import { Logger } from '@nestjs/common';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import pino from 'pino';
import { FrameworkLog } from '#libs/service/framework-log.js';

const lines: unknown[] = [];
const destination = pino(
  { level: 'warn', base: null, timestamp: false },
  { write: line => lines.push(JSON.parse(line)) },
);
const nest = new Logger('EventBus');

beforeEach(() => {
  lines.length = 0;
  Logger.overrideLogger(new FrameworkLog(destination));
});
afterAll(() => Logger.overrideLogger(false));

test("what the framework warns of is a line of the process's log, with the name of what speaks", () => {
  nest.warn('A filter is not applied.');
  nest.error('A saga has failed.');
  expect(lines).toEqual([
    { level: 40, from: 'EventBus', msg: 'A filter is not applied.' },
    { level: 50, from: 'EventBus', msg: 'A saga has failed.' },
  ]);
});

test('an error that the framework has caught keeps its stack, wherever it stands in the call', () => {
  const error = new RangeError('too many');
  nest.error(error);
  nest.error('"Handler" has thrown an unhandled exception.', error);
  Logger.error(error, error.stack);
  const err = expect.objectContaining({ type: 'RangeError', stack: expect.stringContaining('framework-log') });
  expect(lines).toEqual([
    { level: 50, from: 'EventBus', err, msg: 'too many' },
    { level: 50, from: 'EventBus', err, msg: '"Handler" has thrown an unhandled exception.' },
    { level: 50, err, msg: 'too many' },
  ]);
});

test('a stack that comes as text is kept too, and a value that is no text is one line', () => {
  nest.error('It failed.', 'Error: deep\n    at somewhere');
  nest.fatal({ no: 'text' });
  expect(lines).toMatchObject([
    { from: 'EventBus', stack: 'Error: deep\n    at somewhere', msg: 'It failed.' },
    { level: 60, from: 'EventBus' },
  ]);
});

test('what it tells about a start that goes well is left out', () => {
  nest.log('Nest application successfully started');
  nest.debug('a dependency');
  nest.verbose('more');
  expect(lines).toEqual([]);
});
