import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { isBusy } from '#libs/platform/sqlite/faults.js';
import { SettingError } from './setting.js';
import type { Settings } from './settings.js';
import { storeFiles } from './store-adapters.js';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** Permissions of group and others. */
const OTHERS_MODE = 0o077;

/** Call this in the main thread before any file is created. */
export function restrictUmask(): void {
  process.umask(OTHERS_MODE);
}

/** Creates the folder if needed. Makes its files private as far as this user may. */
export function prepareDataFolder(dataDir: string): void {
  createFolder(dataDir);
  if (!statSync(dataDir).isDirectory()) throw new SettingError('DATA_DIR', `${dataDir} is not a folder.`);
  restrictMode(dataDir, FOLDER_MODE);
  for (const entry of readdirSync(dataDir, { withFileTypes: true }))
    if (entry.isFile()) restrictMode(join(dataDir, entry.name), FILE_MODE);
}

/**
 * Creates parents one by one: with `recursive`, Node loops for ever where mkdir reports success without a folder, as
 * below /proc.
 */
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) createFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: FOLDER_MODE });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process created it first.
    if (code !== 'EEXIST') throw new SettingError('DATA_DIR', `${folder} cannot be created (${code}).`);
  }
}

/** Uses the path: closing a descriptor would drop the locks that SQLite holds on the file. */
function restrictMode(path: string, mode: number): void {
  try {
    if ((statSync(path).mode & OTHERS_MODE) !== 0) chmodSync(path, mode);
  } catch {
    // Owned by another user, which the doctor reports, or removed by now.
  }
}

/** Each lock is an open SQLite transaction, so it ends with the process, however that ends. */
type Unlock = () => void;

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

function openDatabase(file: string): DatabaseSyncInstance {
  try {
    return new DatabaseSync(file);
  } catch (error) {
    throw notWritable(file, error);
  }
}

const notWritable = (file: string, error: unknown) =>
  new SettingError('DATA_DIR', `${dirname(file)} cannot be written (${(error as Error).message}).`);
