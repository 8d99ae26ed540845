import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CLEAN, World } from '../world.js';
import { loggedErrors } from '../world/logged-errors.js';

let world: World;
beforeEach(async () => void (world = await World.start({ settings: { METRICS_PORT: '0' } })));
afterEach(() => world.stop());

const HEAD =
  'POST /api/quickstart HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 900\r\n\r\n';

function sending(text: string): Promise<Socket> {
  const { hostname, port } = new URL(world.url);
  return new Promise(resolve => {
    const socket = connect(Number(port), hostname, () => socket.write(text, () => resolve(socket)));
  });
}

/** How many failures the service has told of, by their code. */
async function failures(): Promise<{ readonly [code: string]: number }> {
  const text = await (await fetch(`${world.service.metricsUrl}/metrics`)).text();
  const found = [...text.matchAll(/^refusals_total\{code="(\w+)"\} (\d+)$/gm)];
  return Object.fromEntries(found.map(([, code, count]) => [code, Number(count)]));
}

const soon = () => new Promise(resolve => setTimeout(resolve, 20));

test('a body that breaks off is no error of the service, and says nothing in its log', async () => {
  const before = loggedErrors().length;
  for (let count = 0; count < 5; count += 1) (await sending(`${HEAD}{"kind":`)).destroy();
  while (Object.values(await failures()).reduce((sum, count) => sum + count, 0) < 5) await soon();
  expect(await failures()).toEqual({ http: 5 });
  expect(loggedErrors().slice(before)).toEqual([]);
  expect(await world.audit()).toEqual(CLEAN);
});
