import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { quickstart } from '../raw-agent.js';
import { ServiceProcess } from '../world/service-process.js';
import { newFolder, settingsIn } from '../world.js';

const folder = newFolder();

/** More than the listeners after which Node warns. */
const TAILS = 12;
/** More events than a process keeps in memory, so that a tail reads pages of the log. */
const EVENTS = 1_000;

const openTail = (url: string, { signal }: AbortController, address = '192.0.2.1') =>
  fetch(`${url}/api/events`, { headers: { accept: 'text/event-stream', 'x-forwarded-for': address }, signal });

async function tailed(url: string): Promise<void> {
  const aborting = new AbortController();
  const { body } = await openTail(url, aborting);
  let text = '';
  for await (const chunk of body!) {
    text += Buffer.from(chunk as Uint8Array).toString();
    if (text.split('\nid: ').length >= EVENTS) break;
  }
  aborting.abort();
}

async function tailedAtOnce(url: string): Promise<void> {
  const all = Array.from({ length: TAILS }, () => new AbortController());
  const answers = await Promise.all(all.map((aborting, at) => openTail(url, aborting, `198.51.100.${at}`)));
  expect(answers.map(({ status }) => status)).toEqual(Array(TAILS).fill(200));
  all.forEach(aborting => aborting.abort());
}

test('live tails, behind the head and many at once, cause no warning of Node', async () => {
  const file = join(folder, 'warnings');
  const settings = { ...settingsIn(folder), TRUST_PROXY: '1', NODE_OPTIONS: `--redirect-warnings=${file}` };
  const service = await ServiceProcess.whole(folder, settings);
  await Promise.all(Array.from({ length: EVENTS / 4 }, () => quickstart(service.url, { kind: 'reader' })));
  await Promise.all([tailed(service.url), tailed(service.url)]);
  await tailedAtOnce(service.url);
  expect(await service.stop()).toBe(0);
  expect(existsSync(file) ? readFileSync(file, 'utf8') : '').not.toContain('MaxListenersExceededWarning');
}, 120_000);
