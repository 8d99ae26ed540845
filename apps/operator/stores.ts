import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { requireEmptyDocuments } from '#libs/backup/restore.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { ADDRESS_FILE, readWrittenAddress } from '#libs/setup/address-file.js';
import { isServiceListening } from '#libs/setup/service-probe.js';
import { storeFiles, openDocuments, openEventLog, openVault } from '#libs/setup/store-adapters.js';
import type { Settings } from '#libs/setup/settings.js';
import { openStores, type Stores } from '#libs/setup/stores.js';
import { lockExclusively } from '#libs/setup/data-folder.js';
import type { Vault } from '#libs/platform/vault/port.js';

/** Commands that only read must not create embedded stores. */
export function requireStores(settings: Settings): void {
  const { events, vault } = storeFiles(settings);
  for (const file of [events, vault])
    if (file !== undefined && !existsSync(file))
      throw new Error(`${file} does not exist: set DATA_DIR to the folder of the service.`);
}

/** Closes the store after the work, even if that fails. */
export async function useStore<S extends { close(): Promise<unknown> }, T>(
  opening: Promise<S>,
  work: (store: S) => Promise<T>,
): Promise<T> {
  const store = await opening;
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Opens the stores of a service, also beside it. Throws if no service has started on the folder. */
export async function withStores<T>(settings: Settings, work: (stores: Stores) => Promise<T>): Promise<T> {
  requireStores(settings);
  return useStore(openStores(settings), work);
}

/** Also works beside a running service. */
export const withLogAndVault = <T>(
  settings: Settings,
  work: (stores: { readonly log: EventLog; readonly vault: Vault }) => Promise<T>,
): Promise<T> => useStore(openEventLog(settings), log => useStore(openVault(settings), vault => work({ log, vault })));

export const requireNoDocuments = (settings: Settings): Promise<void> =>
  useStore(openDocuments(settings), documents => requireEmptyDocuments(documents, PROJECTIONS));

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
