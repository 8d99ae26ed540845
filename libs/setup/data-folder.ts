import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SettingError } from './setting.js';

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
