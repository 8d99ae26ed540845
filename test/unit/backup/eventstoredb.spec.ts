import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { writeBackup } from '#libs/backup/write-backup.js';
import { restoreStores } from '#libs/backup/restore.js';
import { EventStoreDbEventLog } from '#libs/event-log/eventstoredb.event-log.js';
import { SqliteEventLog } from '#libs/event-log/sqlite.event-log.js';
import { EventStoreDouble } from '../../doubles/eventstoredb/server.js';
import { MemoryVault } from '../../doubles/memory-vault.js';
import { HonestLog } from '../audit/honest-log.js';

test('a backup moves between kinds of event log and keeps its tree', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'backup-'));
  const double = await EventStoreDouble.start();
  const eventstore = EventStoreDbEventLog.open(double.url);
  const sqlite = SqliteEventLog.open(join(folder, 'events.db'));
  try {
    const { log } = (await HonestLog.told()).stores;
    const vault = new MemoryVault();
    const at = (name: string) => join(folder, name);
    const { events } = await writeBackup({ log, vault, now: 1 }, at('1'));
    await restoreStores({ log: eventstore, vault }, at('1'));
    const again = await writeBackup({ log: eventstore, vault, now: 2 }, at('2'));
    expect(again.events).toMatchObject({ kind: 'eventstoredb', count: events.count, root: events.root });
    await restoreStores({ log: sqlite, vault }, at('2'));
    expect((await sqlite.readAll('0'.repeat(20), 1_000)).events).toEqual(log.events);
  } finally {
    await Promise.all([eventstore.close(), sqlite.close()]);
    await double.kill();
    rmSync(folder, { recursive: true, force: true });
  }
});
