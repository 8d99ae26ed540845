import 'reflect-metadata';
import { existsSync, mkdirSync } from 'node:fs';
import { SECOND_MS } from '#libs/kernel/clock.js';
import { writeAddress } from '#libs/setup/address-file.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { SettingError } from '#libs/setup/setting.js';
import { readSettings } from '#libs/setup/settings.js';
import { lockDataFolder } from '#libs/setup/single-service.js';
import { banner } from './banner.js';
import { makeLog } from './log.js';
import { startService } from './service.js';

/** How long requests under way may take once the process was told to stop. */
const STOP_MS = 10 * SECOND_MS;

async function main(): Promise<void> {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const settings = readSettings(process.env);
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockDataFolder(settings.dataDir);
  const log = makeLog(settings.logLevel);
  const service = await startService(settings, log);
  writeAddress(settings, service.url);
  console.log(banner(service));
  let stopping = false;
  const stop = () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), STOP_MS).unref();
    void service.stop().then(() => {
      unlock();
      process.exit(0);
    });
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
}

main().catch((error: unknown) => {
  const sentence =
    error instanceof SettingError ||
    error instanceof Refusal ||
    (error instanceof Error && error.constructor === Error);
  console.error(sentence ? error.message : error);
  process.exit(1);
});
