import { everyEvent } from '#libs/event-log/every-event.js';
import { resetErasureMark } from '#libs/event-log/erasure-mark.js';
import type { EventLog } from '#libs/event-log/port.js';
import type { StoredEvent } from '#libs/kernel/event.js';
import type { Vault } from '#libs/platform/vault/port.js';
import { checkBackup } from './check-backup.js';
import { type BackupManifest, pathsIn, type Progress, silent } from './format.js';
import { readLines } from './line-file.js';
import { Tally } from './tally.js';
import { putEvents } from './put-events.js';
import { checkVault, putKeys } from './put-keys.js';

export interface RestoreDependencies {
  readonly log: EventLog;
  readonly vault: Vault;
}

export interface Restored extends BackupManifest {
  /** False where the log held all events of the backup before. */
  readonly hasAddedEvents: boolean;
}

/** Told how far each part of the work is. */
export interface RestoreProgress {
  readonly checking?: Progress;
  readonly writing?: Progress;
  readonly keys?: Progress;
  readonly comparing?: Progress;
}

/**
 * Puts a backup into empty stores: looks at the whole of it first, writes the events in their order with their ids and
 * revisions, then the keys, and last reads the log back and compares its tree with the backup's.
 *
 * A restore that was killed is started again: it goes on behind what it had written. Throws a sentence where the
 * backup is damaged, or the stores hold something else.
 */
export async function restore(
  { log, vault }: RestoreDependencies,
  folder: string,
  { checking, writing = silent, keys = silent, comparing = silent }: RestoreProgress = {},
): Promise<Restored> {
  const manifest = await checkBackup(folder, checking);
  const paths = pathsIn(folder);
  const { count } = manifest.events;
  await checkVault(vault, paths.vault);
  await resetErasureMark(vault);
  const before = await log.head();
  await putEvents(log, readLines<StoredEvent>(paths.events), { progress: done => writing(done, count) });
  await putKeys(vault, paths.vault, done => keys(done, manifest.vault.count));
  await compare(log, manifest, comparing);
  return { ...manifest, hasAddedEvents: (await log.head()) !== before };
}

async function compare(log: EventLog, { events }: BackupManifest, progress: Progress): Promise<void> {
  const tally = new Tally();
  for await (const event of everyEvent(log)) {
    tally.take(event);
    progress(tally.count, events.count);
  }
  if (tally.count === events.count && tally.root === events.root) return;
  throw new Error(
    `The event log holds ${tally.count} events with the root ${tally.root}; the backup has ${events.count} with ` +
      `${events.root}. Somebody wrote to it meanwhile: empty it and restore again.`,
  );
}
