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

test('writes framework warnings and errors to the log with their source', () => {
  nest.warn('A filter is not applied.');
  nest.error('A saga has failed.');
  expect(lines).toEqual([
    { level: 40, from: 'EventBus', msg: 'A filter is not applied.' },
    { level: 50, from: 'EventBus', msg: 'A saga has failed.' },
  ]);
});

test('keeps the stack of a framework error in any argument position', () => {
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

test('keeps a stack passed as text and logs an object in one line', () => {
  nest.error('It failed.', 'Error: deep\n    at somewhere');
  nest.fatal({ no: 'text' });
  expect(lines).toMatchObject([
    { from: 'EventBus', stack: 'Error: deep\n    at somewhere', msg: 'It failed.' },
    { level: 60, from: 'EventBus' },
  ]);
});

test('drops informational messages of the framework', () => {
  nest.log('Nest application successfully started');
  nest.debug('a dependency');
  nest.verbose('more');
  expect(lines).toEqual([]);
});
