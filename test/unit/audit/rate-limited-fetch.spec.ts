import { createServer } from 'node:http';
import { expect, jest, test } from '@jest/globals';
import { fetchWithRetries } from '#libs/audit/sources/service-fetch.js';
import { listen } from '../../listen.js';

/** Serves these responses in turn and measures the wait before the second request. */
async function answered(...answers: (readonly [status: number, retryAfter: string])[]) {
  const times: number[] = [];
  const server = createServer((_request, response) => {
    times.push(performance.now());
    const [status, retryAfter] = answers[times.length - 1]!;
    response.writeHead(status, { 'retry-after': retryAfter }).end();
  });
  const url = await listen(server);
  const { status } = await fetchWithRetries(url);
  server.close();
  return { url, status, waitedMs: times[1]! - times[0]! };
}

/** Lines written to standard error while `work` runs. */
async function told(work: () => Promise<unknown>): Promise<string[]> {
  const lines: string[] = [];
  const write = jest.spyOn(process.stderr, 'write').mockImplementation(text => lines.push(String(text)) > 0);
  await work().finally(() => write.mockRestore());
  return lines;
}

test('waits after a 429 and returns the next response', async () => {
  const { status, waitedMs } = await answered([429, '1'], [404, '1']);
  expect(status).toBe(404);
  expect(waitedMs).toBeGreaterThan(900);
});

test('reports a long wait once for concurrent requests, and a short wait never', async () => {
  let url = '';
  const long = async () => void ({ url } = await answered([429, '3'], [200, '1']));
  expect(await told(long)).toEqual([`${url} refused the request: too many requests. Retrying in 3 s.\n`]);
  expect(await told(() => Promise.all([long(), long()]))).toHaveLength(1);
  expect(await told(() => answered([429, '1'], [200, '1']))).toEqual([]);
});
