import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from './settings.js';

const FILE = 'address';

/** Writes down where the service of a data folder listens, for command lines beside it. */
export function writeAddress({ dataDir }: Settings, url: string): void {
  writeFileSync(join(dataDir, FILE), `${url}\n`);
}

/** Where the service listens: as it wrote down itself, else as the settings say. */
export function readAddress({ dataDir, host, port }: Settings): string {
  try {
    return readFileSync(join(dataDir, FILE), 'utf8').trim();
  } catch {
    return `http://${host}:${port}`;
  }
}
