import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';

/**
 * Returns a function that names a file in a folder of the running test, which is removed after it. Call it after
 * other `afterEach`, which then still find the folder.
 */
export function temporaryFolder(): (...names: string[]) => string {
  let folder: string | undefined;
  afterEach(() => {
    if (folder) rmSync(folder, { recursive: true, force: true });
    folder = undefined;
  });
  return (...names) => join((folder ??= mkdtempSync(join(tmpdir(), 'test-'))), ...names);
}

/** A new folder, which is removed at the end of the test run (`setup/memory-folder.mjs`). For a few small files. */
export const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'test-'));
