import { dirname, join } from 'node:path';
import Database from 'libsql';
import { storeFiles } from './store-adapters.js';
import { prepareDataFolder } from './data-folder.js';
import { SettingError } from './setting.js';
import type { Settings } from './settings.js';

/** Each lock is an open SQLite transaction, so it ends with the process, however that ends. */
export type Unlock = () => void;

/** Throws if another whole service runs on the folder. */
export function lockDataFolder(dataDir: string): Unlock {
  return lock(join(dataDir, 'service.lock'), 'BEGIN EXCLUSIVE', alreadyRunning(dataDir));
}

/** For separate gateways and projectors, which share the folder with each other but not with exclusive work. */
export function shareDataFolder(settings: Settings): Unlock {
  if (Object.keys(storeFiles(settings)).length === 0) return () => undefined;
  const { dataDir } = settings;
  prepareDataFolder(dataDir);
  const sentence = `A command uses ${dataDir} exclusively. Wait until it ends.`;
  return lock(partsLockFile(dataDir), 'BEGIN; SELECT count(*) FROM sqlite_master', sentence);
}

/** For work during which no process of a service may run on the folder. */
export function lockExclusively(dataDir: string): Unlock {
  const unlock = lockDataFolder(dataDir);
  try {
    const unlockParts = lock(partsLockFile(dataDir), 'BEGIN EXCLUSIVE', alreadyRunning(dataDir));
    return () => [unlockParts, unlock].forEach(release => release());
  } catch (error) {
    unlock();
    throw error;
  }
}

const alreadyRunning = (dataDir: string) =>
  `Another service already runs on ${dataDir}. Stop it, or set another DATA_DIR.`;
const partsLockFile = (dataDir: string) => join(dataDir, 'parts.lock');

function lock(file: string, begin: string, busySentence: string): Unlock {
  const database = openDatabase(file);
  try {
    database.exec(begin);
  } catch (error) {
    database.close();
    throw isBusy(error) ? new Error(busySentence) : notWritable(file, error);
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
