import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { ADDRESS_FILE, readWrittenAddress } from '#libs/setup/address-file.js';
import { isServiceListening } from '#libs/setup/service-probe.js';
import { storeFiles, openEventLog, openVault } from '#libs/setup/store-adapters.js';
import type { Settings } from '#libs/setup/settings.js';
import { lockExclusively } from '#libs/setup/data-folder-lock.js';
import type { Vault } from '#libs/platform/vault/port.js';

/** Throws where there are no embedded stores: a command that reads must not make them. */
export function requireStores(settings: Settings): void {
  const { events, vault } = storeFiles(settings);
  for (const file of [events, vault])
    if (file !== undefined && !existsSync(file))
      throw new Error(`There is no ${file}: set DATA_DIR to the folder of the service.`);
}

/** The log and the vault, beside a running service, for as long as the work takes. */
export async function withLogAndVault<T>(
  settings: Settings,
  work: (stores: { readonly log: EventLog; readonly vault: Vault }) => Promise<T>,
): Promise<T> {
  const log = await openEventLog(settings);
  try {
    const vault = await openVault(settings);
    try {
      return await work({ log, vault });
    } finally {
      await vault.close();
    }
  } finally {
    await log.close();
  }
}

/** Runs work during which no service may run: makes the data folder where it is missing, and locks it. */
export async function withExclusiveFolder<T>(settings: Settings, work: () => Promise<T>): Promise<T> {
  const { dataDir } = settings;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockExclusively(dataDir);
  try {
    await requireStopped(settings);
    return await work();
  } finally {
    unlock();
  }
}

/** A gateway without a lock on the folder has written down its address. */
async function requireStopped(settings: Settings): Promise<void> {
  const address = readWrittenAddress(settings);
  if (address === null || !(await isServiceListening(address))) return;
  const file = join(settings.dataDir, ADDRESS_FILE);
  throw new Error(`A service answers at ${address}: stop it. If it is one of another folder, remove ${file} first.`);
}
