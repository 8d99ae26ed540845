import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findNode } from '#libs/payments/devchain/find-node.js';
import { endProcess } from '#libs/payments/devchain/processes.js';
import { RAILS } from '#libs/payments/rails.js';
import { ADDRESS_FILE } from '#libs/setup/address-file.js';
import { STORE_FILES } from '#libs/setup/store-adapters.js';
import type { Settings } from '#libs/setup/settings.js';
import { withExclusiveFolder } from './stores.js';
import { type CommandReport, done } from '#libs/terminal/command-line.js';

/** Suffixes of SQLite's files. Other files in the folder stay. */
const STORE_FILE_SUFFIXES = ['', '-wal', '-shm', '-journal'];
const CHAIN_FOLDER = 'chain';
/** Lock files are empty, and a lock ends with its process. */
const LOCK_FILE = /\.lock(-|$)/;

/** Throws if more than a development data folder would be lost. */
function requireDevelopment({ chain, eventLog, documents, vault, dataDir }: Settings): void {
  if (chain !== 'dev') throw new Error(`reset only works with CHAIN=dev, not with CHAIN=${chain}.`);
  const remote = Object.entries({ EVENT_LOG: eventLog, DOCUMENTS: documents, VAULT: vault }).find(
    ([, kind]) => kind !== 'sqlite',
  );
  if (remote) throw new Error(`reset only works with embedded stores, not with ${remote.join('=')}.`);
  if (!existsSync(dataDir)) throw new Error(`Nothing to reset: ${dataDir} does not exist.`);
}

/** Removes all data of the service from a development folder. `yes` replaces a prompt. */
export async function reset(settings: Settings, yes: boolean): Promise<CommandReport> {
  requireDevelopment(settings);
  const { dataDir } = settings;
  if (!yes) throw new Error(`reset removes every event, document and key in ${dataDir}. Add --yes to confirm.`);
  const removed = await withExclusiveFolder(settings, async () => {
    await endOrphanNodes(join(dataDir, CHAIN_FOLDER));
    return namesToRemove().filter(name => remove(join(dataDir, name)));
  });
  const left = readdirSync(dataDir).filter(name => !LOCK_FILE.test(name));
  const text = `${dataDir} is reset. Removed: ${removed.join(', ') || 'nothing'}.`;
  return done({ folder: dataDir, removed, left }, text);
}

/** The vault goes last: after an interruption the rest of the log can still be read. */
function namesToRemove(): string[] {
  const stores = Object.values(STORE_FILES).flatMap(file => STORE_FILE_SUFFIXES.map(end => `${file}${end}`));
  const otherFiles = stores.filter(name => !isVaultFile(name));
  return [...otherFiles, CHAIN_FOLDER, ADDRESS_FILE, ...stores.filter(isVaultFile)];
}

const isVaultFile = (name: string) => name.startsWith(STORE_FILES.vault);

function remove(path: string): boolean {
  if (!existsSync(path)) return false;
  rmSync(path, { recursive: true, force: true });
  return true;
}

/** A chain node left by a killed service would write its state again. */
async function endOrphanNodes(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const { chainId } of RAILS) {
    const node = await findNode({ chainId, port: 0, folder, isShared: false, warn: () => undefined });
    if (node?.pid) await endProcess(node.pid);
  }
}
