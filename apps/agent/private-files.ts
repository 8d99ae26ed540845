import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Files with secrets or spending are for their owner only. */
export const FILE_MODE = 0o600;

/** Returns null if the file does not exist. */
export function readOptional(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Replaces the content atomically. */
export function replaceFile(path: string, text: string): void {
  const temporaryPath = `${path}.${process.pid}`;
  // A killed process with the same id may have left its file.
  rmSync(temporaryPath, { force: true });
  writeFileSync(temporaryPath, text, { flag: 'wx', mode: FILE_MODE, flush: true });
  renameSync(temporaryPath, path);
}
