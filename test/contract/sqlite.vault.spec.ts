import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { SqliteVault } from '#libs/platform/vault/sqlite.vault.js';
import { waitUntil } from '../wait-until.js';
import { temporaryFolder } from '../temporary-folder.js';

const BUSY_TIMEOUT_MS = 30;
const file = temporaryFolder();

test('leaves no bytes of a destroyed key and lets only the owner read the files', async () => {
  const vault = SqliteVault.open(file('vault.db'));
  const secret = Buffer.from('the key that has to go away, all of it');
  await vault.putIfAbsent('muse-a', secret);
  await vault.putIfAbsent('muse-b', Buffer.from('another'));
  const holding = () => readdirSync(file()).filter(name => readFileSync(file(name)).includes(secret));
  expect(holding()).not.toEqual([]);
  for (const name of readdirSync(file())) expect(statSync(file(name)).mode & 0o077).toBe(0);
  await vault.destroy('muse-a');
  expect(holding()).toEqual([]);
  expect(await vault.get('muse-b')).toEqual(Uint8Array.from(Buffer.from('another')));
  await vault.close();
});

test('destroys a key while another connection reads, and overwrites it once that ends', async () => {
  const vault = SqliteVault.open(file('vault.db'), BUSY_TIMEOUT_MS);
  const secret = Buffer.from('the key that a reader keeps in the log');
  await vault.putIfAbsent('muse-a', secret);
  const reader = new DatabaseSync(file('vault.db'));
  reader.exec('BEGIN');
  reader.prepare('SELECT name FROM keys').all();
  await vault.destroy('muse-a');
  expect(await vault.get('muse-a')).toBe('destroyed');
  reader.exec('COMMIT');
  reader.close();
  await waitUntil(() => !readdirSync(file()).some(name => readFileSync(file(name)).includes(secret)));
  await vault.close();
});

test('overwrites a destroyed key at the next start after a crash', async () => {
  const vault = SqliteVault.open(file('vault.db'));
  const secret = Buffer.from('the key that a crash leaves in the log');
  await vault.putIfAbsent('muse-a', secret);
  const beneath = new DatabaseSync(file('vault.db'));
  beneath.prepare("UPDATE keys SET value = NULL WHERE name = 'muse-a'").run();
  const holding = () => readdirSync(file()).some(name => readFileSync(file(name)).includes(secret));
  expect(holding()).toBe(true);
  const next = SqliteVault.open(file('vault.db'));
  await waitUntil(() => !holding());
  beneath.close();
  await Promise.all([vault.close(), next.close()]);
});

const CLOSES = `
  import { DatabaseSync } from '@photostructure/sqlite';
  const database = new DatabaseSync(process.argv[1]);
  database.prepare('SELECT count(*) FROM keys').all();
  database.close();
`;

test('keeps every key while another process opens and closes the vault', async () => {
  const [one, other] = [SqliteVault.open(file('vault.db')), SqliteVault.open(file('vault.db'))];
  await one.putIfAbsent('a', Uint8Array.of(1));
  execFileSync(process.execPath, ['--input-type=module', '-e', CLOSES, '--', file('vault.db')]);
  await other.putIfAbsent('b', Uint8Array.of(2));
  expect(readdirSync(file()).sort()).toEqual(['vault.db', 'vault.db-shm', 'vault.db-wal']);
  const third = new DatabaseSync(file('vault.db'), { returnArrays: true });
  expect(third.prepare('SELECT name FROM keys').all()).toEqual([['a'], ['b']]);
  third.close();
  await Promise.all([one.close(), other.close()]);
});
