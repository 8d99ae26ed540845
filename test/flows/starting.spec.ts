import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pino from 'pino';
import { type Service, startService } from '#apps/gateway/service.js';
import { freePort } from '#libs/payments/devchain/processes.js';
import { startProjections } from '#libs/service/projecting.js';
import { readSettings } from '#libs/setup/settings.js';
import { newFolder } from '../world.js';

const log = pino({ level: 'silent' });
let folder: string;
let port: number;
beforeAll(async () => {
  folder = newFolder();
  port = await freePort();
});
afterAll(() => rmSync(folder, { recursive: true }));

test('a service that fills its documents says how far it is, refuses all else to be repeated, and then answers', async () => {
  const settings = readSettings({ PORT: String(port), DATA_DIR: join(folder, 'data'), DEV_CHAIN_PORTS: '0,0' });
  const before = await startService(settings, log);
  const { body: joined } = await ask('/api/quickstart', { kind: 'translator' });
  await before.stop();
  for (const file of ['documents.db', 'documents.db-wal', 'documents.db-shm'])
    rmSync(join(settings.dataDir, file), { force: true });

  let fill!: () => void;
  const filled = new Promise<void>(resolve => (fill = resolve));
  const starting = startService(settings, log, {}, async core => {
    const projections = await startProjections(core);
    await filled;
    return projections;
  });
  const health = await filling();
  const { events, of } = health.body['filling'] as { readonly events: number; readonly of: number };
  expect(health).toMatchObject({ status: 503, body: { ok: false, status: 'degraded' } });
  expect([events > 0, events]).toEqual([true, of]);
  expect(await ask('/api/health/live')).toMatchObject({ status: 200, body: { ok: true } });
  const refusal = { status: 503, retryAfter: '2', body: { code: 'starting', retryable: true } };
  expect(await ask('/api/roles')).toMatchObject(refusal);
  expect(await ask('/api/quickstart', { kind: 'translator' })).toMatchObject(refusal);
  expect(await ask('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).toMatchObject(refusal);
  expect(await ask('/api/nothing')).toMatchObject({ status: 404 });
  const page = await fetch(`http://127.0.0.1:${port}/jobs`, { headers: { accept: 'text/html' } });
  expect([page.status, page.headers.get('retry-after'), page.headers.get('content-type')]).toEqual([
    503,
    '2',
    'text/html; charset=utf-8',
  ]);

  fill();
  const service: Service = await starting;
  expect(await ask('/api/health')).toMatchObject({ status: 200, body: { ok: true, filling: null } });
  expect(await ask(`/api/muse/${joined['muse_id'] as string}`)).toMatchObject({ status: 200 });
  await service.stop();
});

/** Asks until the port is taken and the fill has begun. */
async function filling(): Promise<Awaited<ReturnType<typeof ask>>> {
  for (;;) {
    const answer = await ask('/api/health').catch(() => undefined);
    if (answer?.body['filling']) return answer;
    await new Promise(resolve => setTimeout(resolve, 20));
  }
}

async function ask(path: string, body?: object) {
  const sent = body && { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, sent);
  const { status, headers } = answer;
  const read = (await answer.json()) as { readonly [name: string]: unknown };
  return { status, retryAfter: headers.get('retry-after'), body: read };
}
