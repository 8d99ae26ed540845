import { expect, test } from '@jest/globals';
import { BulkWriteResult, MongoBulkWriteError, MongoNetworkError, MongoServerError } from 'mongodb';
import { isOutage } from '#libs/platform/mongodb/errors.js';

const reset = Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET' });
const result = {} as BulkWriteResult;

test.each([
  ['a broken socket', reset],
  ['a bulk write with a broken socket', new MongoBulkWriteError(reset as never, result)],
  ['a bulk write with a lost connection', new MongoBulkWriteError(new MongoNetworkError('closed'), result)],
])('%s is an outage', (_, error) => expect(isOutage(error)).toBe(true));

test.each([
  ['a duplicate key', new MongoServerError({ message: 'E11000', code: 11_000 })],
  ['a duplicate key in a bulk write', new MongoBulkWriteError({ message: 'E11000', code: 11_000 }, result)],
  ['a defect', new TypeError('x is not a function')],
  ['nothing', undefined],
])('%s is not an outage', (_, error) => expect(isOutage(error)).toBe(false));
