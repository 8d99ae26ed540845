import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { ADDRESS_FILE, readWrittenAddress } from '#libs/setup/address-file.js';
import { isServiceListening } from '#libs/setup/service-probe.js';
import { storeFiles, openEventLog, openVault } from '#libs/setup/store-adapters.js';
import type { Settings } from '#libs/setup/settings.js';
import { lockExclusively } from '#libs/setup/data-folder.js';
import type { Vault } from '#libs/platform/vault/port.js';

/** Commands that only read must not create embedded stores. */
export function requireStores(settings: Settings): void {
  const { events, vault } = storeFiles(settings);
  for (const file of [events, vault])
    if (file !== undefined && !existsSync(file))
      throw new Error(`${file} does not exist: set DATA_DIR to the folder of the service.`);
}

/** Also works beside a running service. */
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

/** Creates the folder if needed and locks it, so that no service can start during the work. */
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

/** A gateway without a lock on the folder is found by its written address. */
async function requireStopped(settings: Settings): Promise<void> {
  const address = readWrittenAddress(settings);
  if (address === null || !(await isServiceListening(address))) return;
  const file = join(settings.dataDir, ADDRESS_FILE);
  throw new Error(`A service answers at ${address}: stop it. If it uses another folder, remove ${file} first.`);
}
