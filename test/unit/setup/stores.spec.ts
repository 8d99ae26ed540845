import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { Issuer } from '#libs/issuer/issuer.js';
import { systemClock } from '#libs/kernel/clock.js';
import { readSettings } from '#libs/setup/settings.js';
import { openStores } from '#libs/setup/stores.js';
import { Sqlite } from '#libs/platform/sqlite/sqlite.js';
import { SqliteVault } from '#libs/platform/vault/sqlite.vault.js';

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'stores-'))));
afterEach(() => rmSync(folder, { recursive: true }));

test('refuses a log whose issuer key the vault lacks and writes no secret', async () => {
  const settings = readSettings({ DATA_DIR: folder });
  const stores = await openStores(settings);
  await Issuer.open({ ...stores, clock: systemClock, address: { baseUrl: 'http://localhost' } }, null);
  await stores.close();
  for (const ending of ['', '-wal', '-shm']) rmSync(join(folder, `vault.db${ending}`), { force: true });

  await expect(openStores(settings)).rejects.toThrow("The vault does not hold the log's current issuer key");
  const vault = SqliteVault.open(join(folder, 'vault.db'));
  expect(await vault.list('', 10)).toEqual([]);
  await vault.close();
});

test('reports a full disk when SQLite runs out of space', () => {
  const file = Sqlite.open(join(folder, 'full.db'), { component: 'The vault', synchronous: 'FULL' });
  file.exec('CREATE TABLE entry (value BLOB)');
  file.prepare('PRAGMA max_page_count = 4').all();
  expect(() => file.exec('INSERT INTO entry VALUES (zeroblob(1000000))')).toThrow(
    'The vault cannot be written: its disk is full.',
  );
  file.close();
});
