import { renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { EventStoreDouble } from '../doubles/eventstoredb/server.js';
import { quickstart, send } from '../raw-agent.js';
import { waitUntil } from '../wait-until.js';
import { watchErrors } from '../world/logged-errors.js';
import { ServiceProcess } from '../world/service-process.js';
import { newFolder, settingsIn } from '../world.js';

/** An answer says it before the process ends. */
const END_MS = 5 * SECOND_MS;
const FATAL = 60;
let folder: string;
const started: ServiceProcess[] = [];
beforeEach(() => void (folder = newFolder()));
afterEach(async () => {
  for (const each of started.splice(0)) await each.kill();
  rmSync(folder, { recursive: true, maxRetries: 20 });
});

/** Puts an older copy of the log back under running processes and starts them again. */
async function goBack(
  start: () => Promise<readonly ServiceProcess[]>,
  copyLog: () => Promise<() => Promise<void>>,
): Promise<void> {
  const running = await start();
  started.push(...running);
  const url = running[0]!.url;
  const { museId: kept } = await quickstart(url, { name: 'Kept' });
  const putBack = await copyLog();
  const { museId: lost } = await quickstart(url, { name: 'Lost' });
  const errors = watchErrors();
  await putBack();

  const write = () => send(url, '/api/quickstart', { body: { name: 'Late' } });
  let answer = await write();
  await waitUntil(async () => (answer = await write()).body['code'] === 'log_went_back');
  const noticed = performance.now();
  expect(answer).toMatchObject({ status: 503, body: { retryable: true, retry_after: expect.any(Number) } });
  expect((await send(url, '/api/health')).status).toBe(503);
  expect(await Promise.all(running.map(({ ended }) => ended))).toEqual(running.map(() => 1));
  expect(performance.now() - noticed).toBeLessThan(END_MS);
  const fatal = errors().filter(({ level }) => level === FATAL);
  expect(fatal.map(({ msg }) => msg)).toEqual(
    running.map(() => expect.stringMatching(/^The event log went back: .* This process ends\. The next start makes /)),
  );

  const again = await start();
  started.push(...again);
  const shown = (muse: string) => send(again[0]!.url, `/api/muse/${muse}`);
  expect([(await shown(kept)).status, (await shown(lost)).status]).toEqual([200, 404]);
  expect(await send(again[0]!.url, '/api/health')).toMatchObject({ status: 200, body: { status: 'ok' } });
  expect(await Promise.all(again.map(each => each.stop()))).toEqual(again.map(() => 0));
}

test('two gateways and a projector end if their log server went back', async () => {
  const double = await EventStoreDouble.start();
  const environment = { ...settingsIn(folder), EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: double.url };
  const start = () =>
    Promise.all([
      ServiceProcess.gateway(folder, environment),
      ServiceProcess.gateway(folder, environment),
      ServiceProcess.projector(folder, environment),
    ]);
  const copyLog = async () => {
    const putBack = double.memory.copy();
    return async () => {
      await double.kill();
      putBack();
      await double.restart();
    };
  };
  await goBack(start, copyLog);
  await double.kill();
}, 60_000);

test('a service ends if an older file of its log was put back', async () => {
  const file = join(folder, 'data', 'events.db');
  const copyLog = async () => {
    const database = new DatabaseSync(file);
    database.exec(`VACUUM INTO '${file}.older'`);
    database.close();
    return async () => {
      for (const beside of ['-wal', '-shm']) rmSync(file + beside, { force: true });
      renameSync(`${file}.older`, file);
    };
  };
  await goBack(async () => [await ServiceProcess.whole(folder, settingsIn(folder))], copyLog);
}, 60_000);
