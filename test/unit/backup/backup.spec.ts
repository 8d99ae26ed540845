import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { writeBackup } from '#libs/backup/write-backup.js';
import { type BackupManifest, sha256Of } from '#libs/backup/format.js';
import { restoreStores } from '#libs/backup/restore.js';
import { LOG_FORMAT } from '#libs/domain/service.js';
import { EventStoreDbEventLog } from '#libs/event-log/eventstoredb.event-log.js';
import { findOriginFault, LOG_ORIGIN } from '#libs/event-log/log-origin.js';
import { SqliteEventLog } from '#libs/event-log/sqlite.event-log.js';
import type { EventLog } from '#libs/event-log/event-log.port.js';
import { SqliteVault } from '#libs/platform/vault/sqlite.vault.js';
import { EventStoreDouble } from '../../doubles/eventstoredb/server.js';
import { MemoryLog } from '../../doubles/memory-log.js';
import { MemoryVault } from '../../doubles/memory-vault.js';
import { temporaryFolder } from '../../temporary-folder.js';
import { HonestLog, POSTER, WORKER } from '../audit/honest-log.js';

const at = temporaryFolder();
let log: MemoryLog;
let vault: MemoryVault;
beforeEach(async () => {
  log = (await HonestLog.told()).stores.log;
  vault = new MemoryVault();
  for (const name of [`seal/${POSTER}`, 'secret/claims', 'issuer/a']) await vault.putIfAbsent(name, Buffer.from(name));
  await vault.destroy(`seal/${WORKER}`);
});

const empty = () => ({ log: new MemoryLog(), vault: new MemoryVault() });
const save = (): Promise<BackupManifest> => writeBackup({ log, vault, now: 1_000 }, at('backup'));
const restore = (stores: Parameters<typeof restoreStores>[0]) => restoreStores(stores, at('backup'));
const shown = (events: MemoryLog['events']) => events.map(({ position: _position, ...event }) => event);

/** Event log that rejects every append after `appendsLeft`. */
function mortal(target: EventLog, appendsLeft: number): EventLog {
  let left = appendsLeft;
  const append: EventLog['append'] = (...args) => {
    left -= 1;
    return left < 0 ? Promise.reject(new Error('killed')) : target.append(...args);
  };
  return Object.assign(Object.create(target) as EventLog, { append });
}

describe('a backup', () => {
  test('keeps every event, every key and the tombstones of erased muses', async () => {
    const { events, vault: keys } = await save();
    expect(events).toMatchObject({ count: log.events.length, head: log.events.at(-1)!.position });
    expect(keys).toMatchObject({ count: 4, tombstones: 1 });
    const lines = readFileSync(at('backup/vault.ndjson'), 'utf8');
    expect(lines).toContain(`{"name":"seal/${WORKER}","destroyed":true}`);
  });

  test('is not restored if its log has another format', async () => {
    log = (await HonestLog.told(LOG_FORMAT + 1)).stores.log;
    await save();
    const stores = empty();
    const both = `has format ${LOG_FORMAT + 1}, and this version reads format ${LOG_FORMAT}.`;
    await expect(restore(stores)).rejects.toThrow(both);
    expect(stores.log.events).toEqual([]);
  });

  test('moves to EventStoreDB and back, and keeps its tree', async () => {
    const double = await EventStoreDouble.start();
    const eventstore = EventStoreDbEventLog.open(double.url);
    const { events } = await save();
    await restore({ log: eventstore, vault });
    const again = await writeBackup({ log: eventstore, vault, now: 2_000 }, at('again'));
    expect(again.events).toMatchObject({ kind: 'eventstoredb', count: events.count, root: events.root });
    const other = empty();
    await restoreStores(other, at('again'));
    expect(shown(other.log.events)).toEqual(shown(log.events));
    await eventstore.close();
    await double.kill();
  });

  test('can be taken of empty stores, and restored', async () => {
    const { events } = await writeBackup({ ...empty(), now: 1_000 }, at('backup'));
    expect(events).toMatchObject({ count: 0, head: null });
    await restore(empty());
  });

  test('is rejected as unfinished without its manifest', async () => {
    await save();
    rmSync(at('backup/manifest.json'));
    await expect(restore(empty())).rejects.toThrow(
      'has no manifest.json: it is not a backup, or the backup was not completed.',
    );
  });
});

describe('a restore', () => {
  test('writes the same events and keys in order, into every kind of log', async () => {
    await save();
    const other = empty();
    await restore(other);
    expect(shown(other.log.events)).toEqual(shown(log.events));
    expect(await other.vault.get(`seal/${WORKER}`)).toBe('destroyed');
    expect(Buffer.from((await other.vault.get('issuer/a')) as Uint8Array).toString()).toBe('issuer/a');
    const sqlite = { log: SqliteEventLog.open(at('events.db')), vault: SqliteVault.open(at('vault.db')) };
    await restore(sqlite);
    expect((await sqlite.log.readAll('0'.repeat(20), 1_000)).events).toEqual(log.events);
    await Promise.all([sqlite.log.close(), sqlite.vault.close()]);
  });

  test.each([0, 1, 7])('resumes if it was killed after %d appends', async appends => {
    await save();
    const other = empty();
    await expect(restore({ ...other, log: mortal(other.log, appends) })).rejects.toThrow('killed');
    expect(await other.vault.list('', 10)).toEqual([LOG_ORIGIN]);
    expect(await findOriginFault(other.log, other.vault)).toBe('restore');
    await restore(other);
    expect(await findOriginFault(other.log, other.vault)).toBeUndefined();
    expect(shown(other.log.events)).toEqual(shown(log.events));
    expect(await other.vault.list('', 10)).toHaveLength(4);
  });

  test('writes the issuer keys last, so that no service starts on a partial restore', async () => {
    await save();
    const names: string[] = [];
    const spied = new MemoryVault();
    const putIfAbsent = spied.putIfAbsent.bind(spied);
    spied.putIfAbsent = (name, value) => {
      names.push(name);
      return putIfAbsent(name, value);
    };
    await restore({ log: new MemoryLog(), vault: spied });
    expect(names.at(-1)).toBe('issuer/a');
  });

  test.each(['events.ndjson', 'vault.ndjson'])('writes nothing if %s was changed', async name => {
    await save();
    const file = at(`backup/${name}`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"', "'"));
    const other = empty();
    await expect(restore(other)).rejects.toThrow('it was changed or is damaged');
    rmSync(file);
    await expect(restore(other)).rejects.toThrow('is missing: the backup is incomplete');
    expect(other.log.events).toEqual([]);
  });

  test('rejects a manifest that does not match the files', async () => {
    const manifest = await save();
    const root = '0'.repeat(64);
    const changed = { ...manifest, events: { ...manifest.events, root } };
    writeFileSync(at('backup/manifest.json'), JSON.stringify(changed));
    const other = empty();
    await expect(restore(other)).rejects.toThrow(`but the manifest says ${root}`);
    writeFileSync(at('backup/manifest.json'), JSON.stringify({ ...manifest, version: 2 }));
    await expect(restore(other)).rejects.toThrow('is a backup of version 2; this program reads version 1.');
  });

  test('a restore rejects a log that holds other events', async () => {
    await save();
    const other = new MemoryLog();
    const [first, ...rest] = log.events;
    await other.append(first!.stream, 'none', [{ ...first!, at: 1 }]);
    await expect(restore({ log: other, vault: new MemoryVault() })).rejects.toThrow(
      'The event log is not empty: its event 1',
    );
    const longer = new MemoryLog();
    for (const event of [first!, ...rest])
      await longer.append(event.stream, event.revision === 0 ? 'none' : event.revision - 1, [event]);
    await restore({ log: longer, vault: new MemoryVault() });
    await longer.append('job-more', 'none', [{ ...first!, stream: 'job-more' }]);
    await expect(restore({ log: longer, vault: new MemoryVault() })).rejects.toThrow('The event log has more events');
  });

  test('a restore rejects a log with the events of another program as not empty', async () => {
    await save();
    const foreign = new MemoryLog();
    const lone = { text: '\ud800' };
    await foreign.append('other', 'none', [{ ...log.events[0]!, stream: 'other', data: lone }]);
    await expect(restore({ log: foreign, vault: new MemoryVault() })).rejects.toThrow(
      'The event log is not empty: its event 1',
    );
  });

  test('a restore returns whether it added events', async () => {
    await save();
    const other = empty();
    expect(await restore(other)).toMatchObject({ hasAddedEvents: true });
    expect(await restore(other)).toMatchObject({ hasAddedEvents: false });
  });

  test('a restore rejects a vault with another key before it writes anything', async () => {
    await save();
    for (const name of ['secret/claims', 'secret/other']) {
      const other = empty();
      await other.vault.putIfAbsent(name, Buffer.from('another'));
      await expect(restore(other)).rejects.toThrow(`The vault is not empty: its key ${name}`);
      expect(other.log.events).toEqual([]);
    }
  });

  test('a restore rejects malformed lines with a clear error', async () => {
    const manifest = await save();
    appendFileSync(at('backup/vault.ndjson'), 'null\n');
    const sha256 = await sha256Of(at('backup/vault.ndjson'));
    writeFileSync(at('backup/manifest.json'), JSON.stringify({ ...manifest, vault: { ...manifest.vault, sha256 } }));
    await expect(restore(empty())).rejects.toThrow('vault.ndjson is not a JSON object');
  });

  test.each([
    ['a name that is a number', { name: 1, value: 'AA' }, '`name`'],
    ['a value that is an object', { name: 'seal/x', value: {} }, '`value`'],
    ['a tombstone without a name', { destroyed: true }, '`name`'],
    ['no value', { name: 'seal/x', destroyed: false }, '`value`'],
  ])('names the line and the member of a backup with %s', async (_kind, line, member) => {
    const manifest = await save();
    appendFileSync(at('backup/vault.ndjson'), `${JSON.stringify(line)}\n`);
    const sha256 = await sha256Of(at('backup/vault.ndjson'));
    writeFileSync(at('backup/manifest.json'), JSON.stringify({ ...manifest, vault: { ...manifest.vault, sha256 } }));
    const other = empty();
    await expect(restore(other)).rejects.toThrow(
      `${member} of Line 5 of ${at('backup/vault.ndjson')} is not a valid text: the backup was changed`,
    );
    expect(other.log.events).toEqual([]);
  });

  test('a restore names the line and the member of an event with a wrong stream', async () => {
    const manifest = await save();
    appendFileSync(at('backup/events.ndjson'), `${JSON.stringify({ ...log.events[0], stream: 7 })}\n`);
    const sha256 = await sha256Of(at('backup/events.ndjson'));
    const changed = { ...manifest, events: { ...manifest.events, sha256 } };
    writeFileSync(at('backup/manifest.json'), JSON.stringify(changed));
    await expect(restore(empty())).rejects.toThrow(/`stream` of Line \d+ of .*events\.ndjson is not a valid text/);
    writeFileSync(at('backup/manifest.json'), JSON.stringify({ ...manifest, events: undefined }));
    await expect(restore(empty())).rejects.toThrow(/`events` of .*manifest\.json is not a valid object/);
  });
});
