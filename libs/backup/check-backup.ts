import { existsSync, readFileSync } from 'node:fs';
import type { StoredEvent } from '#libs/kernel/event.js';
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type BackupManifest,
  type FileChecksum,
  MANIFEST_FILE,
  backupPaths,
  type ProgressListener,
  ignoreProgress,
  type VaultLine,
  EventTally,
} from './format.js';
import { readLines, checksumOf } from './line-file.js';

export function readManifest(folder: string): BackupManifest {
  const { manifest: file } = backupPaths(folder);
  if (!existsSync(file))
    throw new Error(`${folder} has no ${MANIFEST_FILE}: it is not a backup, or the backup was not completed.`);
  const manifest = parseManifest(readFileSync(file, 'utf8'));
  if (manifest?.format !== BACKUP_FORMAT) throw new Error(`${file} is not the manifest of a backup.`);
  if (manifest.version === BACKUP_VERSION) return manifest;
  throw new Error(
    `${folder} is a backup of version ${manifest.version}; this program reads version ${BACKUP_VERSION}.`,
  );
}

/** Compares both files and the Merkle tree of the events with the manifest. Throws if they differ. */
export async function checkBackup(
  folder: string,
  progress: ProgressListener = ignoreProgress,
): Promise<BackupManifest> {
  const manifest = readManifest(folder);
  const paths = backupPaths(folder);
  await requireChecksum(paths.events, manifest.events);
  await requireChecksum(paths.vault, manifest.vault);
  const tally = new EventTally();
  for await (const event of readLines<StoredEvent>(paths.events)) {
    tally.add(event);
    progress(tally.count, manifest.events.count);
  }
  requireEqual(paths.events, 'number of events', tally.count, manifest.events.count);
  requireEqual(paths.events, 'root', tally.root, manifest.events.root);
  let keys = 0;
  for await (const _line of readLines<VaultLine>(paths.vault)) keys += 1;
  requireEqual(paths.vault, 'number of keys', keys, manifest.vault.count);
  return manifest;
}

async function requireChecksum(file: string, sum: FileChecksum): Promise<void> {
  if (!existsSync(file)) throw new Error(`${file} is missing: the backup is incomplete. Use another backup.`);
  const { sha256 } = await checksumOf(file);
  if (sha256 === sum.sha256) return;
  throw new Error(
    `${file} has the sha256 ${sha256}, not ${sum.sha256}: it was changed or is damaged. Use another backup.`,
  );
}

function requireEqual<T extends string | number>(file: string, property: string, actual: T, expected: T): void {
  if (actual === expected) return;
  throw new Error(`The ${property} of ${file} is ${actual}, but the manifest says ${expected}. Use another backup.`);
}

function parseManifest(text: string): BackupManifest | null {
  try {
    return JSON.parse(text) as BackupManifest | null;
  } catch {
    return null;
  }
}
