import { once } from 'node:events';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { ServiceProcess } from '../world/service-process.js';
import { newFolder, settingsIn } from '../world.js';
import { startApp } from './shell.js';

/** Shorter than the timeout of the start. */
const SOON_MS = 5 * SECOND_MS;
let folder: string;

beforeAll(async () => {
  folder = newFolder();
  const service = await ServiceProcess.whole(folder, settingsIn(folder));
  expect(await service.stop()).toBe(0);
  for (const file of readdirSync(join(folder, 'data')).filter(name => name.startsWith('documents.db')))
    rmSync(join(folder, 'data', file));
}, 60_000);

test('a gateway that waits for read models stops at once on request', async () => {
  const child = startApp('gateway', ['--apart'], folder, { ...settingsIn(folder), LOG_LEVEL: 'debug' });
  let output = '';
  await new Promise<void>(resolve => {
    for (const stream of [child.stdout!, child.stderr!])
      stream.on(
        'data',
        (chunk: Buffer) => (output += chunk.toString()).includes('waiting for a projector') && resolve(),
      );
  });
  const stoppedAt = performance.now();
  child.kill('SIGTERM');
  const [code] = (await once(child, 'close')) as [number];
  expect({ code, isLate: output.includes('too long') }).toEqual({ code: 0, isLate: false });
  expect(output).toMatch(/Stopped\. Data kept in \.\/data\n$/);
  expect(performance.now() - stoppedAt).toBeLessThan(SOON_MS);
}, 60_000);
