import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pino from 'pino';
import { type Service, startService } from '#apps/gateway/service.js';
import { readArguments } from '#apps/operator/arguments.js';
import { carryOutCommand } from '#apps/operator/commands.js';
import { reset as resetFolder } from '#apps/operator/reset.js';
import { writeAddress } from '#libs/setup/address-file.js';
import { readSettings } from '#libs/setup/settings.js';
import { lockDataFolder, shareDataFolder } from '#libs/setup/single-service.js';
import { newFolder } from '../world.js';

let folder: string;
beforeAll(() => void (folder = newFolder()));
afterAll(() => rmSync(folder, { recursive: true }));

const settingsWith = (more: object = {}) =>
  readSettings({ PORT: '0', DATA_DIR: join(folder, 'data'), DEV_CHAIN_PORTS: '0,0', ...more });

const reset = async (argv: readonly string[], more: object = {}) =>
  (await carryOutCommand(readArguments(['reset', ...argv])!, settingsWith(more))).json;

async function issuerKeys({ url }: Service): Promise<unknown> {
  const answer = await fetch(`${url}/.well-known/service-issuer.json`);
  return ((await answer.json()) as { readonly keys: unknown }).keys;
}

describe('reset', () => {
  test('removes what the service kept, once it is asked for twice and no service runs', async () => {
    const settings = settingsWith();
    const before = await startService(settings, pino({ level: 'silent' }));
    const keys = await issuerKeys(before);
    writeAddress(settings, before.url);
    await expect(resetFolder(settings, false)).rejects.toThrow('Say --yes if that is meant.');
    await expect(reset(['--yes'])).rejects.toThrow(`A service answers at ${before.url}: stop it.`);
    await before.stop();
    const unlock = lockDataFolder(settings.dataDir);
    await expect(reset(['--yes'])).rejects.toThrow('Another service runs on');
    unlock();
    const parts = [shareDataFolder(settings), shareDataFolder(settings)];
    await expect(reset(['--yes'])).rejects.toThrow('Another service runs on');
    for (const end of parts) end();
    expect(existsSync(join(settings.dataDir, 'events.db'))).toBe(true);
    expect(await reset(['--yes'])).toMatchObject({ ok: true, left: [] });
    const after = await startService(settings, pino({ level: 'silent' }));
    expect(await issuerKeys(after)).not.toEqual(keys);
    await after.stop();
  });

  test.each([
    [
      {
        CHAIN: 'rpc',
        BASE_RPC_URL: 'http://127.0.0.1:1',
        RELAYER_KEY_FILE: 'k',
        SERVICE_WALLET: `0x${'1'.repeat(40)}`,
      },
    ],
    [{ EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: 'esdb://127.0.0.1:1?tls=false' }],
    [{ VAULT: 'mongodb', MONGODB_URL: 'mongodb://127.0.0.1:1/jobs' }],
  ])('is for a development folder alone, not %j', async more => {
    await expect(reset(['--yes'], more)).rejects.toThrow(/^reset is for .* alone/);
  });
});
