import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { quickstart, send } from '../raw-agent.js';
import { waitUntil } from '../wait-until.js';
import { ServiceProcess } from '../world/service-process.js';
import { newFolder, settingsIn } from '../world.js';

const folder = newFolder();
const file = join(folder, 'data', 'documents.db');
/** Documents that a request changes, and that no request reads before it is answered. */
const INDEX = 'muse_events%';

/** Overwrites the pages of a running service in which the tables and indexes begin. */
function damage(tables: string): void {
  const database = new DatabaseSync(file);
  const [{ page_size: size }] = database.prepare('PRAGMA page_size').all() as [{ page_size: number }];
  const roots = database.prepare('SELECT rootpage FROM sqlite_master WHERE tbl_name LIKE ?').all(tables);
  database.close();
  const descriptor = openSync(file, 'r+');
  expect(roots.length).toBeGreaterThan(0);
  for (const { rootpage } of roots as { rootpage: number }[])
    writeSync(descriptor, Buffer.alloc(size, 0xab), 0, size, (rootpage - 1) * size);
  closeSync(descriptor);
}

test('damage that only the projections thread reads makes health 503', async () => {
  const first = await ServiceProcess.whole(folder, settingsIn(folder));
  await quickstart(first.url, { name: 'Before' });
  expect(await first.stop()).toBe(0);
  const service = await ServiceProcess.whole(folder, settingsIn(folder));
  const health = () => send(service.url, '/api/health');
  expect(await health()).toMatchObject({ status: 200, body: { status: 'ok' } });
  damage(INDEX);
  await quickstart(service.url, { name: 'After' });
  await waitUntil(async () => (await health()).status === 503, 5_000);
  expect((await health()).body).toMatchObject({ ok: false, status: 'degraded', documents: { reachable: false } });
  expect(await send(service.url, '/api/quickstart', { body: { name: 'Late' } })).toMatchObject({ status: 503 });
  expect(await service.stop()).toBe(0);
}, 60_000);
