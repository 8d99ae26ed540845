import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findNode } from '#libs/payments/devchain/find-node.js';
import { endProcess } from '#libs/payments/devchain/processes.js';
import { RAILS } from '#libs/payments/rails.js';
import { ADDRESS_FILE } from '#libs/setup/address-file.js';
import { STORE_FILES } from '#libs/setup/store-adapters.js';
import type { Settings } from '#libs/setup/settings.js';
import { withExclusiveFolder } from './stores.js';
import type { CommandReport } from './command-report.js';

/** The endings of the files of embedded stores. Whatever else lies in the folder stays. */
const STORE_FILE_SUFFIXES = ['', '-wal', '-shm', '-journal'];
const CHAIN_FOLDER = 'chain';
/** The files of locks are empty, and a lock ends with its process. */
const LOCK_FILE = /\.lock(-|$)/;

/** Throws a sentence for settings under which more than a development data folder would be lost. */
function requireDevelopment({ chain, eventLog, documents, vault, dataDir }: Settings): void {
  if (chain !== 'dev') throw new Error(`reset is for CHAIN=dev alone; this is CHAIN=${chain}.`);
  const remote = Object.entries({ EVENT_LOG: eventLog, DOCUMENTS: documents, VAULT: vault }).find(
    ([, kind]) => kind !== 'sqlite',
  );
  if (remote) throw new Error(`reset is for the embedded stores alone; this is ${remote.join('=')}.`);
  if (!existsSync(dataDir)) throw new Error(`There is no folder ${dataDir}: nothing is to be reset.`);
}

/**
 * Removes everything that the service has stored in a development data folder, where `yes` says that it is meant: nobody
 * else is asked.
 */
export async function reset(settings: Settings, yes: boolean): Promise<CommandReport> {
  requireDevelopment(settings);
  const { dataDir } = settings;
  if (!yes) throw new Error(`reset removes every event, document and key in ${dataDir}. Say --yes if that is meant.`);
  const removed = await withExclusiveFolder(settings, async () => {
    await endOrphanNodes(join(dataDir, CHAIN_FOLDER));
    return namesToRemove().filter(name => remove(join(dataDir, name)));
  });
  const left = readdirSync(dataDir).filter(name => !LOCK_FILE.test(name));
  const text = `${dataDir} is as new: ${removed.join(', ') || 'nothing'} removed.`;
  return { ok: true, json: { ok: true, folder: dataDir, removed, left }, text };
}

/**
 * The vault is removed last: where the work is interrupted, what is sealed in the rest of the log can still be read.
 */
function namesToRemove(): string[] {
  const stores = Object.values(STORE_FILES).flatMap(file => STORE_FILE_SUFFIXES.map(end => `${file}${end}`));
  const [vault, others] = [stores.filter(isVaultFile), stores.filter(name => !isVaultFile(name))];
  return [...others, CHAIN_FOLDER, ADDRESS_FILE, ...vault];
}

const isVaultFile = (name: string) => name.startsWith(STORE_FILES.vault);

function remove(path: string): boolean {
  if (!existsSync(path)) return false;
  rmSync(path, { recursive: true, force: true });
  return true;
}

/** A chain node of a killed service would write its state again. */
async function endOrphanNodes(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  for (const { chainId } of RAILS) {
    const node = await findNode({ chainId, port: 0, folder, isShared: false, warn: () => undefined });
    if (node?.pid) await endProcess(node.pid);
  }
}
