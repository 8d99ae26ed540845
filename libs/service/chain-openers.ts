import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { type Clock, SECOND_MS } from '#libs/kernel/clock.js';
import { DEV_SERVICE_WALLET } from '#libs/payments/devchain/accounts.js';
import { NO_ESCROW } from '#libs/payments/escrow-rails.js';
import { PaymentSettings } from '#libs/payments/payment.settings.js';
import { RAILS } from '#libs/payments/rails.js';
import { pinChainKind } from '#libs/setup/pinned-settings.js';
import { type Chains, openChains } from '#libs/setup/chains.js';
import type { Settings } from '#libs/setup/settings.js';
import type { Vault } from '#libs/platform/vault/port.js';

/** Limit for waiting until another process has started the nodes of the same folder. */
const START_TIMEOUT_MS = 60 * SECOND_MS;
const POLL_MS = 25;

export type ChainsOpener = (
  settings: Settings,
  clock: Clock,
  warn: (sentence: string) => void,
  vault: Vault,
) => Promise<Chains>;

/** Processes that start on one folder take turns: the first starts the development nodes, and the others find them. */
export const openOwnChains: ChainsOpener = async (settings, clock, warn, vault) => {
  await pinChainKind(vault, settings.chain);
  const open = () => openChains(settings, clock.now() - Date.now(), warn);
  return settings.chain === 'dev' ? withChainLock(settings, open) : open();
};

/** For processes that neither pay nor show a balance. */
export const openNoChains: ChainsOpener = ({ serviceWallet }) =>
  Promise.resolve({
    chains: [],
    settings: new PaymentSettings(RAILS, serviceWallet ?? DEV_SERVICE_WALLET),
    escrowRails: NO_ESCROW,
    dev: null,
    rpc: {},
  });

/** The lock is an open SQLite transaction, so it ends with the process, however that ends. */
async function withChainLock<T>({ dataDir }: Settings, work: () => Promise<T>): Promise<T> {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const lock = new DatabaseSync(join(dataDir, 'chain.lock'));
  try {
    await acquireLock(lock);
    return await work();
  } finally {
    lock.close();
  }
}

async function acquireLock(lock: DatabaseSyncInstance): Promise<void> {
  for (const until = Date.now() + START_TIMEOUT_MS; ; await pause(POLL_MS)) {
    try {
      return void lock.exec('BEGIN EXCLUSIVE');
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}
