import { dirname, join } from 'node:path';
import Database from 'libsql';
import { storeFiles } from './store-adapters.js';
import { prepareDataFolder } from './data-folder.js';
import { SettingError } from './setting.js';
import type { Settings } from './settings.js';

/** Each lock is SQLite's own on an open transaction, so it ends with the process, however that ends. */
export type Unlock = () => void;

/** Makes sure that one whole service runs on a data folder. Throws a sentence where another one has it. */
export function lockDataFolder(dataDir: string): Unlock {
  return lock(join(dataDir, 'service.lock'), 'BEGIN EXCLUSIVE', alreadyRunning(dataDir));
}

/** Gateways and projectors that run apart: any number at once on embedded stores, and nobody beside who needs it alone. */
export function shareDataFolder(settings: Settings): Unlock {
  if (Object.keys(storeFiles(settings)).length === 0) return () => undefined;
  const { dataDir } = settings;
  prepareDataFolder(dataDir);
  const sentence = `A command works on ${dataDir} alone. Wait for its end.`;
  return lock(partsLockFile(dataDir), 'BEGIN; SELECT count(*) FROM sqlite_master', sentence);
}

/** For work during which no process of a service may run on the folder. */
export function lockExclusively(dataDir: string): Unlock {
  const unlock = lockDataFolder(dataDir);
  try {
    const unlockParts = lock(partsLockFile(dataDir), 'BEGIN EXCLUSIVE', alreadyRunning(dataDir));
    return () => [unlockParts, unlock].forEach(one => one());
  } catch (error) {
    unlock();
    throw error;
  }
}

const alreadyRunning = (dataDir: string) =>
  `Another service runs on ${dataDir} already. Stop it, or set another DATA_DIR.`;
const partsLockFile = (dataDir: string) => join(dataDir, 'parts.lock');

/** `held`: what to say where somebody else has it. */
function lock(file: string, begin: string, held: string): Unlock {
  const database = openDatabase(file);
  try {
    database.exec(begin);
  } catch (error) {
    database.close();
    throw isBusy(error) ? new Error(held) : notWritable(file, error);
  }
  return () => database.close();
}

function openDatabase(file: string): Database.Database {
  try {
    return new Database(file);
  } catch (error) {
    throw notWritable(file, error);
  }
}

const notWritable = (file: string, error: unknown) =>
  new SettingError('DATA_DIR', `${dirname(file)} cannot be written (${(error as Error).message}).`);

const isBusy = (error: unknown) => (error as { readonly code?: string }).code === 'SQLITE_BUSY';
