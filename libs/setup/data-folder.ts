import { chmodSync, existsSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SettingError } from './setting.js';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** What the group and all others of the machine may do. */
const OTHERS_MODE = 0o077;

/** What this process makes from now on is its user's alone. For the main thread, before anything is made. */
export function restrictUmask(): void {
  process.umask(OTHERS_MODE);
}

/** Makes the data folder where there is none. What stands there becomes its owner's alone, as far as it is ours. */
export function prepareDataFolder(dataDir: string): void {
  createFolder(dataDir);
  if (!statSync(dataDir).isDirectory()) throw new SettingError('DATA_DIR', `${dataDir} is no folder.`);
  restrictMode(dataDir, FOLDER_MODE);
  for (const entry of readdirSync(dataDir, { withFileTypes: true }))
    if (entry.isFile()) restrictMode(join(dataDir, entry.name), FILE_MODE);
}

/**
 * One folder after the other: asked for all at once, Node tries for ever where the system takes a folder for made and
 * has none, as below /proc.
 */
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) createFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: FOLDER_MODE });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Another process was faster.
    if (code !== 'EEXIST') throw new SettingError('DATA_DIR', `${folder} cannot be made (${code}).`);
  }
}

/** By its name and not by a descriptor: closing one would drop the locks that SQLite holds on the file. */
function restrictMode(path: string, mode: number): void {
  try {
    if ((statSync(path).mode & OTHERS_MODE) !== 0) chmodSync(path, mode);
  } catch {
    // Another user's, which the doctor names, or gone meanwhile.
  }
}
