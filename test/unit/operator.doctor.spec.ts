import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Check } from '#apps/operator/doctor/check.js';
import { doctor } from '#apps/operator/doctor/doctor.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { readSettings } from '#libs/setup/settings.js';
import { openStores } from '#libs/setup/stores.js';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'doctor-'));
  await (await openStores(readSettings({ DATA_DIR: folder }))).close();
});
afterAll(() => rmSync(folder, { recursive: true }));

async function findings(address: string, dataDir = folder) {
  const settings = { DATA_DIR: dataDir, PORT: '1', EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: address };
  const { json } = await doctor(readSettings(settings));
  return (json as unknown as { checks: Check[] }).checks.filter(({ ok }) => !ok);
}

test.each(['used', 'new'])(
  'reports an unreachable event log once for a %s folder and no follow-up error',
  async kind => {
    const dataDir = kind === 'used' ? folder : join(folder, 'new');
    expect(await findings('esdb://user:secret@127.0.0.1:1?tls=false', dataDir)).toEqual([
      {
        name: 'event log',
        ok: false,
        sentence: expect.stringMatching(/^The event log cannot be reached\. EVENTSTORE_URL names 127\.0\.0\.1:1\./),
        advice: expect.any(String),
      },
    ]);
  },
);

test('reports a server that does not respond within 6 seconds', async () => {
  const sockets: Socket[] = [];
  const server = createServer(socket => void sockets.push(socket.on('error', () => undefined))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const began = performance.now();
  const found = await findings(`esdb://127.0.0.1:${(server.address() as AddressInfo).port}?tls=false`);
  const tookMs = performance.now() - began;
  sockets.forEach(socket => socket.destroy());
  server.close();
  expect(found.map(({ name }) => name)).toEqual(['event log']);
  expect(tookMs).toBeLessThan(6 * SECOND_MS);
}, 30_000);

test('hints at TLS when the server does not support it', async () => {
  const double = await EventStoreDouble.start();
  const [found, ...others] = await findings(double.url.replace('?tls=false', ''));
  await double.kill();
  expect(found!.sentence).toContain('The server does not speak TLS: add tls=false to EVENTSTORE_URL');
  expect(found!.sentence).not.toMatch(/SSL|routines|openssl/i);
  expect(others).toEqual([]);
}, 30_000);
