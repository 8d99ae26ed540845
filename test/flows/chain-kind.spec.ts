import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Wallet } from 'ethers';
import pino from 'pino';
import { startService } from '#apps/gateway/service.js';
import { readArguments } from '#apps/operator/arguments.js';
import { carryOutCommand } from '#apps/operator/commands.js';
import type { Check } from '#apps/operator/doctor/check.js';
import { keepChainKind } from '#libs/setup/chain-kind.js';
import { readSettings } from '#libs/setup/settings.js';
import { MemoryVault } from '../doubles/memory-vault.js';
import { newFolder, settingsIn } from '../world.js';

const log = pino({ level: 'silent' });
const DEAD = 'http://127.0.0.1:9/';
const BEGUN_WITH_DEV =
  'CHAIN: this log was begun with CHAIN=dev and its payments are play money, so CHAIN=rpc cannot open it. ' +
  'Set CHAIN=dev, or begin another log in another DATA_DIR.';
let folders: { readonly dev: string; readonly rpc: string };
beforeAll(() => {
  folders = { dev: newFolder(), rpc: newFolder() };
  writeFileSync(join(folders.rpc, 'relayer.key'), `${Wallet.createRandom().privateKey}\n`, { mode: 0o600 });
});
afterAll(() => {
  for (const folder of Object.values(folders)) rmSync(folder, { recursive: true, force: true });
});

const dev = (folder: string) => readSettings(settingsIn(folder));
function rpc(folder: string) {
  const chain = { CHAIN: 'rpc', BASE_RPC_URL: DEAD, SERVICE_WALLET: Wallet.createRandom().address };
  const only = { RATE_LIMITS: '', TEST_CLOCK_FILE: '', RELAYER_KEY_FILE: join(folders.rpc, 'relayer.key') };
  return readSettings({ ...settingsIn(folder), ...chain, ...only });
}

test('refuses to open the log of a development chain with CHAIN=rpc', async () => {
  await (await startService(dev(folders.dev), log)).stop();
  await expect(startService(rpc(folders.dev), log)).rejects.toThrow(BEGUN_WITH_DEV);
  await (await startService(dev(folders.dev), log)).stop();
});

test('refuses to open the log of a real chain with CHAIN=dev', async () => {
  await (await startService(rpc(folders.rpc), log)).stop();
  await expect(startService(dev(folders.rpc), log)).rejects.toThrow(/begun with CHAIN=rpc .* real money/);
  await (await startService(rpc(folders.rpc), log)).stop();
});

test('lets the doctor name the other CHAIN', async () => {
  const { json } = await carryOutCommand(readArguments(['doctor'])!, rpc(folders.dev));
  const { checks } = json as { readonly checks: readonly Check[] };
  expect(checks.map(({ sentence }) => sentence)).toContainEqual(expect.stringContaining(BEGUN_WITH_DEV));
});

test('keeps the kind of chain of the first of two gateways that start together', async () => {
  const vault = new MemoryVault();
  const kinds = await Promise.allSettled([keepChainKind(vault, 'dev'), keepChainKind(vault, 'rpc')]);
  expect(kinds.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});
