import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { localAddress } from './listening.js';
import type { Settings } from './settings.js';

/** Its name in the data folder. */
export const ADDRESS_FILE = 'address';

/** Writes down where the service of a data folder listens, for command lines beside it. */
export function writeAddress({ dataDir }: Settings, url: string): void {
  writeFileSync(join(dataDir, ADDRESS_FILE), `${url}\n`);
}

/** Where the service listens: as it wrote down itself, else as the settings say. */
export function readAddress({ dataDir, host, port }: Settings): string {
  try {
    return readFileSync(join(dataDir, ADDRESS_FILE), 'utf8').trim();
  } catch {
    return localAddress(host, port);
  }
}
