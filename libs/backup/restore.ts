import { existsSync, readFileSync } from 'node:fs';
import type { DocumentStore } from '#libs/documents/document-store.port.js';
import { findFormatFault, IssuerKeyAdded } from '#libs/domain/service.js';
import { resetErasureMark } from '#libs/event-log/erasure-mark.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { iterateEvents } from '#libs/event-log/iterate-events.js';
import { beginOrigin, finishOrigin } from '#libs/event-log/log-origin.js';
import { LOG_START, type StoredEvent } from '#libs/kernel/event.js';
import { type JsonObject, parseJson } from '#libs/kernel/json.js';
import type { Projection } from '#libs/kernel/projection.js';
import type { Vault } from '#libs/platform/vault/port.js';
import {
  BACKUP_FORMAT,
  BACKUP_VERSION,
  type BackupManifest,
  backupPaths,
  EventTally,
  ignoreProgress,
  MANIFEST_FILE,
  type ProgressListener,
  readEventLines,
  readVaultLines,
  requireMembers,
  sha256Of,
} from './format.js';
import { putEvents } from './put-events.js';
import { putKeys, requireMatchingVault } from './vault-lines.js';

interface RestoreDependencies {
  readonly log: EventLog;
  readonly vault: Vault;
}

interface RestoreResult extends BackupManifest {
  readonly hasAddedEvents: boolean;
}

interface RestoreProgress {
  readonly checking?: ProgressListener;
  readonly writing?: ProgressListener;
  readonly comparing?: ProgressListener;
}

/**
 * Verifies a backup, writes it into empty stores, and compares the Merkle trees. Continues an interrupted restore.
 * Throws if the backup is damaged or the stores have other data.
 */
export async function restoreStores(
  { log, vault }: RestoreDependencies,
  folder: string,
  { checking = ignoreProgress, writing = ignoreProgress, comparing = ignoreProgress }: RestoreProgress = {},
): Promise<RestoreResult> {
  const manifest = await checkBackup(folder, checking);
  const paths = backupPaths(folder);
  const { count } = manifest.events;
  await requireMatchingVault(vault, paths.vault);
  await resetErasureMark(vault);
  const before = await log.head();
  await beginOrigin(log, vault, 'restore');
  await putEvents(log, readEventLines(paths.events), { progress: done => writing(done, count) });
  await putKeys(vault, paths.vault);
  await compareLog(log, manifest, comparing);
  await finishOrigin(log, vault);
  return { ...manifest, hasAddedEvents: (await log.head()) !== before };
}

function readManifest(folder: string): BackupManifest {
  const { manifest: file } = backupPaths(folder);
  if (!existsSync(file))
    throw new Error(`${folder} has no ${MANIFEST_FILE}: it is not a backup, or the backup was not completed.`);
  const manifest = parseJson(readFileSync(file, 'utf8')) as BackupManifest | null | undefined;
  if (manifest?.format !== BACKUP_FORMAT) throw new Error(`${file} is not the manifest of a backup.`);
  if (manifest.version === BACKUP_VERSION) return requireWhole(manifest, file);
  throw new Error(
    `${folder} is a backup of version ${manifest.version}; this program reads version ${BACKUP_VERSION}.`,
  );
}

function requireWhole(manifest: BackupManifest, file: string): BackupManifest {
  requireMembers(manifest as unknown as JsonObject, file, { events: 'object', vault: 'object' });
  const { events, vault } = manifest as unknown as { readonly [part: string]: JsonObject };
  requireMembers(events!, `events in ${file}`, { count: 'integer', sha256: 'text', root: 'text' });
  requireMembers(vault!, `vault in ${file}`, { count: 'integer', sha256: 'text' });
  return manifest;
}

/** Compares both files and the Merkle tree of the events with the manifest. Throws if they differ. */
async function checkBackup(folder: string, progress: ProgressListener): Promise<BackupManifest> {
  const manifest = readManifest(folder);
  const paths = backupPaths(folder);
  await requireChecksum(paths.events, manifest.events.sha256);
  await requireChecksum(paths.vault, manifest.vault.sha256);
  const tally = new EventTally();
  let firstKey: StoredEvent | undefined;
  for await (const event of readEventLines(paths.events)) {
    if (event.type === IssuerKeyAdded.type) firstKey ??= event;
    tally.add(event);
    progress(tally.count, manifest.events.count);
  }
  requireEqual(paths.events, 'number of events', tally.count, manifest.events.count);
  requireEqual(paths.events, 'root', tally.root, manifest.events.root);
  const fault = tally.count > 0 && findFormatFault(firstKey);
  if (fault) throw new Error(`The event log of ${folder} ${fault} Restore it with the version that wrote it.`);
  let keys = 0;
  for await (const _line of readVaultLines(paths.vault)) keys += 1;
  requireEqual(paths.vault, 'number of keys', keys, manifest.vault.count);
  return manifest;
}

async function requireChecksum(file: string, expected: string): Promise<void> {
  if (!existsSync(file)) throw new Error(`${file} is missing: the backup is incomplete. Use another backup.`);
  const sha256 = await sha256Of(file);
  if (sha256 === expected) return;
  throw new Error(
    `${file} has the sha256 ${sha256}, not ${expected}: it was changed or is damaged. Use another backup.`,
  );
}

function requireEqual<T extends string | number>(file: string, property: string, actual: T, expected: T): void {
  if (actual === expected) return;
  throw new Error(`The ${property} of ${file} is ${actual}, but the manifest says ${expected}. Use another backup.`);
}

async function compareLog(log: EventLog, { events }: BackupManifest, progress: ProgressListener): Promise<void> {
  const tally = new EventTally();
  for await (const event of iterateEvents(log)) {
    tally.add(event);
    progress(tally.count, events.count);
  }
  if (tally.count === events.count && tally.root === events.root) return;
  throw new Error(
    `The event log holds ${tally.count} events with the root ${tally.root}; the backup has ${events.count} with ` +
      `${events.root}. Another process wrote to it: stop that process and restore into empty stores.`,
  );
}

/** Prevents a new log from being combined with documents of another log. */
export async function requireEmptyDocuments(store: DocumentStore, projections: readonly Projection[]): Promise<void> {
  for (const projection of projections) {
    const position = await (await store.open(projection)).checkpoint();
    if (position !== LOG_START)
      throw new Error(
        `The document store is not empty: ${projection.name} has read a log up to ${position}. ` +
          'Use an empty document store: the next start rebuilds the documents from the log.',
      );
  }
}
