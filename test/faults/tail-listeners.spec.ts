import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { quickstart } from '../raw-agent.js';
import { ServiceProcess } from '../world/service-process.js';
import { newFolder, settingsIn } from '../world.js';

const folder = newFolder();
afterAll(() => rmSync(folder, { recursive: true }));

/** More events than a process keeps in memory, so that a tail reads pages of the log. */
const EVENTS = 1_000;

async function tailed(url: string): Promise<void> {
  const aborting = new AbortController();
  const headers = { accept: 'text/event-stream' };
  const { body } = await fetch(`${url}/api/events`, { headers, signal: aborting.signal });
  let text = '';
  for await (const chunk of body!) {
    text += Buffer.from(chunk as Uint8Array).toString();
    if (text.split('\nid: ').length >= EVENTS) break;
  }
  aborting.abort();
}

test('a live tail that starts behind the head causes no warning of Node', async () => {
  const file = join(folder, 'warnings');
  const settings = { ...settingsIn(folder), NODE_OPTIONS: `--redirect-warnings=${file}` };
  const service = await ServiceProcess.whole(folder, settings);
  await Promise.all(Array.from({ length: EVENTS / 4 }, () => quickstart(service.url, { kind: 'reader' })));
  await Promise.all([tailed(service.url), tailed(service.url)]);
  expect(await service.stop()).toBe(0);
  expect(existsSync(file) ? readFileSync(file, 'utf8') : '').not.toContain('MaxListenersExceededWarning');
}, 120_000);
