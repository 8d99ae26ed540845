import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { commandFor } from '#libs/terminal/command-line.js';
import { localAddress } from './listen-address.js';
import { identifyService } from './service-probe.js';
import type { Settings } from './settings.js';

export const ADDRESS_FILE = 'address';

const addressFile = ({ dataDir }: Pick<Settings, 'dataDir'>) => join(dataDir, ADDRESS_FILE);

/** Tells command lines on this machine where the service listens. */
export function writeAddress(settings: Pick<Settings, 'dataDir'>, url: string): void {
  writeFileSync(addressFile(settings), `${url}\n`);
}

/** May be the address of a gateway that has ended. Returns null if no gateway has written one. */
export function readWrittenAddress(settings: Pick<Settings, 'dataDir'>): string | null {
  try {
    return readFileSync(addressFile(settings), 'utf8').trim();
  } catch {
    return null;
  }
}

/**
 * Keeps the address of another gateway of this service if it still answers: either may end, and the file serves both.
 */
export async function shareAddress(settings: Pick<Settings, 'dataDir'>, url: string): Promise<void> {
  const written = readWrittenAddress(settings);
  if (written !== null && written !== url) {
    const [service, otherService] = await Promise.all([url, written].map(identifyService));
    // A service of another folder may have taken the port of a gateway that has ended.
    if (otherService !== null && otherService === service) return;
  }
  writeAddress(settings, url);
}

/** Address of the service for processes on the same machine. `source` is the setting or file that names it. */
export interface CallAddress {
  readonly address: string;
  readonly source: string | null;
}

/** A named PORT wins. The file wins over BASE_URL, which may lead through a proxy that this machine cannot reach. */
export function resolveCallAddress(settings: Settings): CallAddress {
  const { host, port, namedPort, baseUrl } = settings;
  if (namedPort !== null) return { address: localAddress(host, namedPort), source: 'PORT' };
  const written = readWrittenAddress(settings);
  if (written !== null) return { address: written, source: addressFile(settings) };
  if (baseUrl !== null) return { address: baseUrl, source: 'BASE_URL' };
  return { address: localAddress(host, port), source: null };
}

export const readAddress = (settings: Settings): string => resolveCallAddress(settings).address;

export function noServiceMessage({ address, source }: CallAddress): string {
  const start = `start it with ${commandFor('start')}`;
  if (source === null) return `No service answers at ${address}: ${start}, or set DATA_DIR to its folder.`;
  if (source === 'PORT' || source === 'BASE_URL')
    return `No service answers at ${address}: ${start}, or set ${source} to where it listens.`;
  return `No service answers at ${address}, the address in ${source}: ${start}, or set PORT to where it listens.`;
}
