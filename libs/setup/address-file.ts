import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { identifyService } from './service-probe.js';
import { localAddress } from './listen-address.js';
import type { Settings } from './settings.js';

/** Its name in the data folder. */
export const ADDRESS_FILE = 'address';

const addressFile = ({ dataDir }: Pick<Settings, 'dataDir'>) => join(dataDir, ADDRESS_FILE);

/** Writes down where the service of a data folder listens, for command lines beside it. */
export function writeAddress(settings: Pick<Settings, 'dataDir'>, url: string): void {
  writeFileSync(addressFile(settings), `${url}\n`);
}

/** Where a gateway of the folder wrote down that it listens, which it may do no more; null where none has. */
export function readWrittenAddress(settings: Pick<Settings, 'dataDir'>): string | null {
  try {
    return readFileSync(addressFile(settings), 'utf8').trim();
  } catch {
    return null;
  }
}

/** One gateway of several leaves the address of another that answers: each may end, and the file is for all of them. */
export async function shareAddress(settings: Pick<Settings, 'dataDir'>, url: string): Promise<void> {
  const written = readWrittenAddress(settings);
  if (written !== null && written !== url) {
    const [here, there] = await Promise.all([url, written].map(identifyService));
    // A service of another folder may have come to the port of one that has ended.
    if (there !== null && there === here) return;
  }
  writeAddress(settings, url);
}

/** Where a service is called from beside it, and what says so: a setting, a file, or neither. */
export interface CallAddress {
  readonly address: string;
  readonly source: string | null;
}

/**
 * Whoever names a port means it, whatever a gateway wrote down. What one wrote down is nearer than the public address,
 * which may lead through a proxy that is not reached from here.
 */
export function resolveCallAddress(settings: Settings): CallAddress {
  const { host, port, namedPort, baseUrl } = settings;
  if (namedPort !== null) return { address: localAddress(host, namedPort), source: 'PORT' };
  const written = readWrittenAddress(settings);
  if (written !== null) return { address: written, source: addressFile(settings) };
  if (baseUrl !== null) return { address: baseUrl, source: 'BASE_URL' };
  return { address: localAddress(host, port), source: null };
}

/** Where the service listens, as far as can be said without asking it. */
export const readAddress = (settings: Settings): string => resolveCallAddress(settings).address;
