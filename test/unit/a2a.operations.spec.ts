import { RequestMalformedError } from '@a2a-js/sdk/errors';
import { expect, test } from '@jest/globals';
import { callOperation, type OperationCall } from '#libs/channels/a2a/operations.js';
import type { RequestHandler } from '#libs/channels/a2a/request-handler.js';

/** Answers with a task that cannot be written as JSON. */
const handler = { getTask: async () => null } as unknown as RequestHandler;
const call = (method: OperationCall['method'], params: object) =>
  callOperation(handler, { id: 1, method, params: { id: '1', ...params } }).catch((error: unknown) => error);

test.each(['GetTask', 'tasks/get'] as const)('an unreadable result of %s is an error of the service', async method => {
  expect(await call(method, {})).toMatchObject({ constructor: Error, message: expect.stringContaining('null') });
});
test.each(['GetTask', 'tasks/get'] as const)('an unnamed parameter of %s is an error of the caller', async method => {
  expect(await call(method, { '': 1 })).toBeInstanceOf(RequestMalformedError);
});
