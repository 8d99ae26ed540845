import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSettings } from '#libs/setup/settings.js';

const MONGODB_URL = 'mongodb://127.0.0.1:27017/name?replicaSet=rs0';

test('the vault uses the store of the documents unless it is set', () => {
  expect(readSettings({})).toMatchObject({ documents: 'sqlite', vault: 'sqlite' });
  expect(readSettings({ DOCUMENTS: 'mongodb', MONGODB_URL })).toMatchObject({ vault: 'mongodb' });
  expect(readSettings({ DOCUMENTS: 'mongodb', VAULT: 'sqlite', MONGODB_URL })).toMatchObject({ vault: 'sqlite' });
  expect(readSettings({ VAULT: 'mongodb', MONGODB_URL })).toMatchObject({ documents: 'sqlite', vault: 'mongodb' });
});

test.each([
  [{ DOCUMENTS: 'mongodb' }, 'MONGODB_URL: DOCUMENTS=mongodb needs it'],
  [{ VAULT: 'mongodb' }, 'MONGODB_URL: VAULT=mongodb needs it'],
  [{ DOCUMENTS: 'mongo' }, 'DOCUMENTS: "mongo" must be one of'],
])('%j is refused: %s', (environment, sentence) => {
  expect(() => readSettings(environment)).toThrow(sentence);
});

test.each(['mongodb://user:secret@host', 'mongodb://user:secret@host/', 'http://user:secret@host/name'])(
  'refuses an address without a database and does not repeat it: %s',
  address => {
    const read = () => readSettings({ DOCUMENTS: 'mongodb', MONGODB_URL: address });
    expect(read).toThrow('MONGODB_URL: it must be mongodb://');
    expect(read).not.toThrow('secret');
  },
);

test('accepts an address with several members, options or a DNS lookup', () => {
  for (const address of ['mongodb://a:1,b:2/name?replicaSet=rs0&tls=true', 'mongodb+srv://user:x@cluster.test/name'])
    expect(readSettings({ MONGODB_URL: address }).mongodbUrl).toBe(address);
});

describe('the MongoDB password file', () => {
  const file = join(tmpdir(), `password-${randomUUID()}`);
  const MONGODB_PASSWORD_FILE = file;
  const MONGODB_URL = 'mongodb://service@a:1,b:2/name?replicaSet=rs0&authSource=admin';
  beforeAll(() => writeFileSync(file, 'p@ss/w:rd\n', { mode: 0o600 }));
  afterAll(() => rmSync(file));

  test('is inserted into the address after its user', () => {
    expect(readSettings({ MONGODB_URL, MONGODB_PASSWORD_FILE }).mongodbUrl).toBe(
      'mongodb://service:p%40ss%2Fw%3Ard@a:1,b:2/name?replicaSet=rs0&authSource=admin',
    );
  });

  test.each(['mongodb://service:other@host/name', 'mongodb://host/name'])('is refused with the address %s', address => {
    const read = () => readSettings({ MONGODB_URL: address, MONGODB_PASSWORD_FILE });
    expect(read).toThrow('MONGODB_PASSWORD_FILE: MONGODB_URL must name a user without a password');
    expect(read).not.toThrow('other');
  });

  test('is reported by the name of its setting if it is missing', () => {
    const missing = { MONGODB_URL, MONGODB_PASSWORD_FILE: `${file}-not-there` };
    expect(() => readSettings(missing)).toThrow('MONGODB_PASSWORD_FILE: cannot be read (ENOENT).');
  });
});
