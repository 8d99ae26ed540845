import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { EventLog } from '#libs/event-log/port.js';
import { ADDRESS_FILE, readAddress } from '#libs/setup/address-file.js';
import { filesOf, openEventLog, openVault } from '#libs/setup/chosen-stores.js';
import type { Settings } from '#libs/setup/settings.js';
import { lockForAlone } from '#libs/setup/single-service.js';
import type { Vault } from '#libs/vault/port.js';

const PROBE_TIMEOUT_MS = 2 * SECOND_MS;

/** Throws where there are no embedded stores: a command that reads must not make them. */
export function mustBeThere(settings: Settings): void {
  const { events, vault } = filesOf(settings);
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
export async function alone<T>(settings: Settings, work: () => Promise<T>): Promise<T> {
  const { dataDir } = settings;
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const unlock = lockForAlone(dataDir);
  try {
    await mustNotAnswer(settings);
    return await work();
  } finally {
    unlock();
  }
}

/** A gateway without a lock on the folder has written down its address. */
async function mustNotAnswer(settings: Settings): Promise<void> {
  const file = join(settings.dataDir, ADDRESS_FILE);
  if (!existsSync(file)) return;
  const address = readAddress(settings);
  const answers = await fetch(`${address}/api/health/live`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).then(
    response => response.body?.cancel().then(() => true),
    () => false,
  );
  if (answers === false) return;
  throw new Error(`A service answers at ${address}: stop it. If it is one of another folder, remove ${file} first.`);
}
