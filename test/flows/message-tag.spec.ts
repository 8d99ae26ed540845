import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pino from 'pino';
import { type Service, startGateway, startService } from '#apps/gateway/service.js';
import type { Check } from '#apps/operator/doctor/check.js';
import { readArguments } from '#apps/operator/arguments.js';
import { carryOutCommand } from '#apps/operator/commands.js';
import { keepMessageTag } from '#libs/setup/message-tag.js';
import { readSettings } from '#libs/setup/settings.js';
import { RawAgent } from '../raw-agent.js';
import { MemoryVault } from '../doubles/memory-vault.js';
import { newFolder, settingsIn } from '../world.js';

/** A log is signed for under one tag, for as long as it stands. */
const log = pino({ level: 'silent' });
const OTHER = { MESSAGE_TAG: 'other-v1', DRIFT_CHECK_SECONDS: '60' };
const REFUSED = 'MESSAGE_TAG: "other-v1" is not the tag of this log: what is signed for it begins with "service-v1".';

let folder: string;
let service: Service;
beforeAll(async () => {
  folder = newFolder();
  service = await startService(settingsWith(), log);
  const agent = new RawAgent(`http://127.0.0.1:${new URL(service.url).port}`);
  await agent.register('Signer');
});
afterAll(async () => {
  await service.stop();
  rmSync(folder, { recursive: true });
});

const settingsWith = (more: object = {}) => readSettings({ ...settingsIn(folder), ...more });
const operator = (argv: readonly string[]) =>
  carryOutCommand(readArguments(argv)!, settingsWith({ ...OTHER, PORT: new URL(service.url).port }));

test('a gateway with another tag does not start beside one that has begun the log, whatever else may differ', async () => {
  await expect(startGateway(settingsWith(OTHER), log)).rejects.toThrow(REFUSED);
  const { MESSAGE_TAG: _tag, ...more } = OTHER;
  const joined = await startGateway(settingsWith(more), log);
  await joined.stop();
});

test('an operator with another tag is told so before anything is signed, and the doctor finds it', async () => {
  await expect(operator(['hire', 'greeter', 'agent_1a2b3c4d5e'])).rejects.toThrow(REFUSED);
  const { checks } = (await operator(['doctor'])).json as { readonly checks: readonly Check[] };
  expect(checks.filter(({ ok }) => !ok).map(({ sentence }) => sentence)).toContainEqual(
    expect.stringContaining(REFUSED),
  );
});

test('until something is signed in a log its tag may be another one at each start', async () => {
  const vault = new MemoryVault();
  const logOf = (...modes: string[]) => ({
    readAll: async () => ({ events: modes.map(mode => ({ authorization: { mode } }) as never), next: '' }),
  });
  await keepMessageTag(vault, logOf(), 'service-v1');
  await keepMessageTag(vault, logOf('service', 'bearer'), 'jobs-v1');
  await keepMessageTag(vault, logOf('service', 'signature'), 'jobs-v1');
  const again = keepMessageTag(vault, logOf('service', 'signature'), 'service-v1');
  await expect(again).rejects.toThrow('begins with "jobs-v1"');
});
