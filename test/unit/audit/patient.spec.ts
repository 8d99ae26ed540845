import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { answerOf } from '#libs/audit/sources/patient.js';

test('a limit of reads is waited for, and every other answer is answered as it is', async () => {
  const answers = [429, 404];
  const asked: number[] = [];
  const server = createServer((_request, response) => {
    asked.push(performance.now());
    response.writeHead(answers.shift()!, { 'retry-after': '1' }).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { status } = await answerOf(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  server.close();
  expect(status).toBe(404);
  expect(asked[1]! - asked[0]!).toBeGreaterThan(900);
});
