import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { LocalServer } from '../local-server.js';
import { newestErrors, recordErrors, worldLog } from '../world/logged-errors.js';
import { orderStoryReads } from '../world/story-fetch.js';

let id = '';
let server: LocalServer;
let url: string;
let shown: jest.SpiedFunction<typeof console.error>;
beforeEach(async () => {
  id = randomUUID();
  server = new LocalServer((_, response) => response.writeHead(500).end(JSON.stringify({ ok: false, error_id: id })));
  ({ url } = await server.listen());
  shown = jest.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(() => {
  jest.restoreAllMocks();
  return server.stop();
});

async function meets500(): Promise<void> {
  const untold = orderStoryReads([url]);
  const answer = await fetch(`${url}/api/join`, { method: 'POST' }).finally(untold);
  expect(await answer.json()).toEqual({ ok: false, error_id: id });
}

test('a 500 response in a test prints the logged error and the request', async () => {
  worldLog().error({ err: new RangeError('no such thing'), error_id: id }, 'request failed');
  await meets500();
  expect(shown.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^POST \/api\/join was answered with a 500\. request failed: RangeError: no such thing\n +at /,
      ),
    ],
  ]);
});

test('a 500 response in a test waits for the log of another process', async () => {
  setTimeout(() => {
    recordErrors('no JSON\n{"level":30,"msg":"starts"}');
    const line = { level: 50, msg: 'request failed', error_id: id, err: { message: 'of another process' } };
    recordErrors(JSON.stringify(line));
  }, 20);
  await meets500();
  expect(shown.mock.calls).toEqual([[expect.stringContaining('of another process')]]);
  expect(newestErrors(1)).toBe('request failed: of another process');
});
