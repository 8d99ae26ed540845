import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { open, rename, writeFile } from 'node:fs/promises';
import { iterateEvents } from '#libs/event-log/iterate-events.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import type { Vault } from '#libs/platform/vault/port.js';
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type BackupManifest,
  backupPaths,
  type ProgressListener,
  ignoreProgress,
  EventTally,
  FILE_MODE,
  writeLines,
} from './format.js';
import { KeyNameCollector, vaultLines } from './vault-lines.js';

const FOLDER_MODE = 0o700;

interface BackupDependencies {
  readonly log: EventLog;
  readonly vault: Vault;
  /** Unix ms. */
  readonly now: number;
  readonly expected?: number | null;
}

/**
 * Writes the log and then the vault, while the service may run: a key is written before its event, so all keys are
 * included. The backup has a tombstone for a key destroyed during the backup. Throws if the folder is not empty.
 */
export async function writeBackup(
  dependencies: BackupDependencies,
  folder: string,
  progress: ProgressListener = ignoreProgress,
): Promise<BackupManifest> {
  createEmptyFolder(folder);
  const { log, vault, now, expected = null } = dependencies;
  const paths = backupPaths(folder);
  const [tally, names] = [new EventTally(), new KeyNameCollector()];
  const events = await writeLines(paths.events, iterateEvents(log), event => {
    tally.add(event);
    names.add(event);
    progress(tally.count, expected);
  });
  let tombstones = 0;
  const keys = await writeLines(paths.vault, vaultLines(vault, names), line => {
    if ('destroyed' in line) tombstones += 1;
  });
  const manifest: BackupManifest = {
    format: BACKUP_FORMAT,
    version: BACKUP_VERSION,
    at: now,
    date: new Date(now).toISOString(),
    events: { kind: log.kind, ...events, head: tally.head, root: tally.root },
    vault: { ...keys, tombstones },
  };
  await writeAtomically(paths.manifest, `${JSON.stringify(manifest, null, 2)}\n`);
  await syncFolder(folder);
  return manifest;
}

function createEmptyFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: FOLDER_MODE });
  if (readdirSync(folder).length > 0) throw new Error(`${folder} is not empty: use a new folder for each backup.`);
  chmodSync(folder, FOLDER_MODE);
}

async function writeAtomically(file: string, text: string): Promise<void> {
  const part = `${file}.part`;
  await writeFile(part, text, { mode: FILE_MODE, flush: true });
  await rename(part, file);
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
