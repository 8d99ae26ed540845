import { clockOf } from '#libs/setup/file-clock.js';
import { writeBackup } from '#libs/backup/write-backup.js';
import { restoreStores } from '#libs/backup/restore.js';
import { openDocuments } from '#libs/setup/store-adapters.js';
import type { Settings } from '#libs/setup/settings.js';
import { type CommandReport, done } from '#libs/terminal/command-line.js';
import { ProgressBars } from '#libs/terminal/progress-bars.js';
import { MerkleTree, MERKLE_TREE_ID } from '#libs/views/tree.js';
import { requireNoDocuments, requireStores, useStore, withExclusiveFolder, withLogAndVault } from './stores.js';

export function backup(settings: Settings, folder: string): Promise<CommandReport> {
  requireStores(settings);
  return ProgressBars.during(async bars => {
    const expected = process.stderr.isTTY ? await countExpectedEvents(settings) : null;
    const manifest = await withLogAndVault(settings, stores =>
      writeBackup({ ...stores, now: clockOf(settings).now(), expected }, folder, bars.partBar('Backing up events')),
    );
    const { events, vault } = manifest;
    const text =
      `${folder}: ${events.count} events with the root ${events.root}, ` +
      `${vault.count} keys of which ${vault.tombstones} are destroyed.\n` +
      'vault.ndjson holds every key in clear: protect the folder like the keys themselves.';
    return done({ folder, ...manifest }, text);
  });
}

/** Size of the Merkle tree, which is close to the number of events. Used only for the progress bar. */
function countExpectedEvents(settings: Settings): Promise<number | null> {
  const size = useStore(openDocuments(settings), async documents => {
    const tree = await (await documents.open(MerkleTree)).get(MERKLE_TREE_ID);
    return tree?.body.size ?? null;
  });
  return size.catch(() => null);
}

export const restoreBackup = (settings: Settings, folder: string): Promise<CommandReport> =>
  ProgressBars.during(async bars => {
    const { at, date, events, vault, hasAddedEvents } = await withExclusiveFolder(settings, async () => {
      await requireNoDocuments(settings);
      return withLogAndVault(settings, stores =>
        restoreStores(stores, folder, {
          checking: bars.partBar('Verifying the backup'),
          writing: bars.partBar('Writing events'),
          comparing: bars.partBar('Comparing'),
        }),
      );
    });
    const isNothing = !hasAddedEvents && events.count > 0;
    const text = isNothing
      ? 'Nothing to restore: the log already has these events.'
      : `${events.count} events and ${vault.count} keys of ${date} were restored, with the root ${events.root}.\n` +
        'Start the service: it rebuilds its read models.';
    const summary = { events: events.count, head: events.head, root: events.root };
    return done({ folder, at, ...summary, keys: vault.count, tombstones: vault.tombstones }, text);
  });
