import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
/** What the group and all others of the machine may do. */
const OTHERS = 0o077;

/** What this process makes from now on is its user's alone. For the main thread, before anything is made. */
export function keepToOwner(): void {
  process.umask(OTHERS);
}

/** Makes the data folder where there is none. What stands there becomes its owner's alone, as far as it is ours. */
export function keepFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: FOLDER_MODE });
  close(dataDir, FOLDER_MODE);
  for (const entry of readdirSync(dataDir, { withFileTypes: true }))
    if (entry.isFile()) close(join(dataDir, entry.name), FILE_MODE);
}

/** By its name and not by a descriptor: closing one would drop the locks that SQLite holds on the file. */
function close(path: string, mode: number): void {
  try {
    if ((statSync(path).mode & OTHERS) !== 0) chmodSync(path, mode);
  } catch {
    // Another user's, which the doctor names, or gone meanwhile.
  }
}
