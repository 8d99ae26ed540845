import { existsSync, readFileSync } from 'node:fs';
import type { StoredEvent } from '#libs/kernel/event.js';
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type BackupManifest,
  type FileSum,
  MANIFEST_FILE,
  pathsIn,
  type Progress,
  silent,
  type VaultLine,
} from './format.js';
import { readLines, sumOf } from './line-file.js';
import { Tally } from './tally.js';

/** Throws a sentence for a folder that holds no finished backup, or one of another version. */
export function readManifest(folder: string): BackupManifest {
  const { manifest: file } = pathsIn(folder);
  if (!existsSync(file))
    throw new Error(`${folder} holds no ${MANIFEST_FILE}: it is no backup, or one that was never finished.`);
  const manifest = parsed(readFileSync(file, 'utf8'));
  if (manifest?.format !== BACKUP_FORMAT) throw new Error(`${file} is not of a backup.`);
  if (manifest.version === BACKUP_VERSION) return manifest;
  throw new Error(`${folder} is a backup of version ${manifest.version}; this program reads ${BACKUP_VERSION}.`);
}

/**
 * Looks whether both files are, to the byte, what the manifest says, and whether the events have its tree. Throws a
 * sentence where they are not. Nothing is restored from a backup that was not looked at.
 */
export async function checkBackup(folder: string, progress: Progress = silent): Promise<BackupManifest> {
  const manifest = readManifest(folder);
  const paths = pathsIn(folder);
  await mustBe(paths.events, manifest.events);
  await mustBe(paths.vault, manifest.vault);
  const tally = new Tally();
  for await (const event of readLines<StoredEvent>(paths.events)) {
    tally.take(event);
    progress(tally.count, manifest.events.count);
  }
  mustAgree(paths.events, 'events', tally.count, manifest.events.count);
  mustAgree(paths.events, 'as its root', tally.root, manifest.events.root);
  let keys = 0;
  for await (const _line of readLines<VaultLine>(paths.vault)) keys += 1;
  mustAgree(paths.vault, 'keys', keys, manifest.vault.count);
  return manifest;
}

async function mustBe(file: string, sum: FileSum): Promise<void> {
  if (!existsSync(file)) throw new Error(`${file} is missing: the backup is not whole.`);
  const { sha256 } = await sumOf(file);
  if (sha256 === sum.sha256) return;
  throw new Error(
    `${file} has the sha256 ${sha256}, not ${sum.sha256}: it was changed or is damaged. Use another backup.`,
  );
}

function mustAgree<T>(file: string, what: string, found: T, said: T): void {
  if (found !== said) throw new Error(`${file} has ${String(found)} ${what}; the manifest says ${String(said)}.`);
}

function parsed(text: string): BackupManifest | null {
  try {
    return JSON.parse(text) as BackupManifest | null;
  } catch {
    return null;
  }
}
