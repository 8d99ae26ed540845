import { clockOf } from '#libs/setup/file-clock.js';
import { writeBackup } from '#libs/backup/write-backup.js';
import { ignoreProgress } from '#libs/backup/format.js';
import { restoreStores, requireEmptyDocuments } from '#libs/backup/restore.js';
import { openDocuments } from '#libs/setup/store-adapters.js';
import type { Settings } from '#libs/setup/settings.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import { MerkleTree, MERKLE_TREE_ID } from '#libs/views/tree.js';
import { PROJECTIONS } from '#libs/features/projections.js';
import { withExclusiveFolder, requireStores, withLogAndVault } from './stores.js';
import type { CommandReport } from '#libs/terminal/command-line.js';

export async function backup(settings: Settings, folder: string): Promise<CommandReport> {
  requireStores(settings);
  const bars = new ProgressBars();
  try {
    const expected = process.stderr.isTTY ? await countExpectedEvents(settings) : null;
    const manifest = await withLogAndVault(settings, stores =>
      writeBackup({ ...stores, now: clockOf(settings).now(), expected }, folder, bars.partBar('Backing up events')),
    );
    bars.end();
    const { events, vault } = manifest;
    const text =
      `${folder}: ${events.count} events with the root ${events.root}, ` +
      `${vault.count} keys of which ${vault.tombstones} are destroyed.\n` +
      'vault.ndjson holds every key in clear: protect the folder like the keys themselves.';
    return { ok: true, json: { ok: true, folder, ...manifest }, text };
  } finally {
    bars.end();
  }
}

/** Size of the Merkle tree, which is close to the number of events. Used only for the progress bar. */
async function countExpectedEvents(settings: Settings): Promise<number | null> {
  try {
    const store = await openDocuments(settings);
    try {
      return (await (await store.open(MerkleTree)).get(MERKLE_TREE_ID))?.body.size ?? null;
    } finally {
      await store.close();
    }
  } catch {
    return null;
  }
}

export async function restoreBackup(settings: Settings, folder: string): Promise<CommandReport> {
  const bars = new ProgressBars();
  try {
    const { at, date, events, vault, hasAddedEvents } = await withExclusiveFolder(settings, async () => {
      await requireNoDocuments(settings);
      return withLogAndVault(settings, stores =>
        restoreStores(stores, folder, {
          checking: bars.partBar('Verifying the backup'),
          writing: bars.partBar('Writing events'),
          keys: ignoreProgress,
          comparing: bars.partBar('Comparing'),
        }),
      );
    });
    bars.end();
    const isNothing = !hasAddedEvents && events.count > 0;
    const text = isNothing
      ? 'Nothing to restore: the log already has these events.'
      : `${events.count} events and ${vault.count} keys of ${date} were restored, with the root ${events.root}.\n` +
        'Start the service: it rebuilds its read models.';
    const summary = { events: events.count, head: events.head, root: events.root };
    return {
      ok: true,
      json: { ok: true, folder, at, ...summary, keys: vault.count, tombstones: vault.tombstones },
      text,
    };
  } finally {
    bars.end();
  }
}

export async function requireNoDocuments(settings: Settings): Promise<void> {
  const store = await openDocuments(settings);
  try {
    await requireEmptyDocuments(store, PROJECTIONS);
  } finally {
    await store.close();
  }
}
