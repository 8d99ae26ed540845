import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { serviceAt } from './answering.js';
import { localAddress } from './listening.js';
import type { Settings } from './settings.js';

/** Its name in the data folder. */
export const ADDRESS_FILE = 'address';

const fileIn = ({ dataDir }: Pick<Settings, 'dataDir'>) => join(dataDir, ADDRESS_FILE);

/** Writes down where the service of a data folder listens, for command lines beside it. */
export function writeAddress(settings: Pick<Settings, 'dataDir'>, url: string): void {
  writeFileSync(fileIn(settings), `${url}\n`);
}

/** Where a gateway of the folder wrote down that it listens, which it may do no more; null where none has. */
export function writtenAddress(settings: Pick<Settings, 'dataDir'>): string | null {
  try {
    return readFileSync(fileIn(settings), 'utf8').trim();
  } catch {
    return null;
  }
}

/** One gateway of several leaves the address of another that answers: each may end, and the file is for all of them. */
export async function shareAddress(settings: Pick<Settings, 'dataDir'>, url: string): Promise<void> {
  const written = writtenAddress(settings);
  if (written !== null && written !== url) {
    const [here, there] = await Promise.all([url, written].map(serviceAt));
    // A service of another folder may have come to the port of one that has ended.
    if (there !== null && there === here) return;
  }
  writeAddress(settings, url);
}

/** Where a service is called from beside it, and what says so: a setting, a file, or neither. */
export interface Called {
  readonly address: string;
  readonly saidBy: string | null;
}

/**
 * Whoever names a port means it, whatever a gateway wrote down. What one wrote down is nearer than the public address,
 * which may lead through a proxy that is not reached from here.
 */
export function calledAt(settings: Settings): Called {
  const { host, port, namedPort, baseUrl } = settings;
  if (namedPort !== null) return { address: localAddress(host, namedPort), saidBy: 'PORT' };
  const written = writtenAddress(settings);
  if (written !== null) return { address: written, saidBy: fileIn(settings) };
  if (baseUrl !== null) return { address: baseUrl, saidBy: 'BASE_URL' };
  return { address: localAddress(host, port), saidBy: null };
}

/** Where the service listens, as far as can be said without asking it. */
export const readAddress = (settings: Settings): string => calledAt(settings).address;
