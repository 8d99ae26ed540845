import type { DocumentStore } from '#libs/documents/document-store.port.js';
import { resetErasureMark } from '#libs/event-log/erasure-mark.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { iterateEvents } from '#libs/event-log/iterate-events.js';
import { type StoredEvent, LOG_START } from '#libs/kernel/event.js';
import type { Projection } from '#libs/kernel/projection.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { checkBackup } from './check-backup.js';
import { EventTally, type BackupManifest, backupPaths, type ProgressListener, ignoreProgress } from './format.js';
import { readLines } from './line-file.js';
import { putEvents } from './put-events.js';
import { requireMatchingVault, putKeys } from './put-keys.js';

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
  readonly keys?: ProgressListener;
  readonly comparing?: ProgressListener;
}

/**
 * Verifies a backup, writes it into empty stores, and compares the Merkle trees. Continues an interrupted restore.
 * Throws if the backup is damaged or the stores have other data.
 */
export async function restoreStores(
  { log, vault }: RestoreDependencies,
  folder: string,
  { checking, writing = ignoreProgress, keys = ignoreProgress, comparing = ignoreProgress }: RestoreProgress = {},
): Promise<RestoreResult> {
  const manifest = await checkBackup(folder, checking);
  const paths = backupPaths(folder);
  const { count } = manifest.events;
  await requireMatchingVault(vault, paths.vault);
  await resetErasureMark(vault);
  const before = await log.head();
  await putEvents(log, readLines<StoredEvent>(paths.events), { progress: done => writing(done, count) });
  await putKeys(vault, paths.vault, done => keys(done, manifest.vault.count));
  await compareLog(log, manifest, comparing);
  return { ...manifest, hasAddedEvents: (await log.head()) !== before };
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
