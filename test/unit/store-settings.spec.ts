import { rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSettings } from '#libs/setup/settings.js';

const MONGODB_URL = 'mongodb://127.0.0.1:27017/name?replicaSet=rs0';

test('keys are kept where the documents are, unless told otherwise', () => {
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
  'an address without a database, or of something else, is refused without being repeated: %s',
  address => {
    const read = () => readSettings({ DOCUMENTS: 'mongodb', MONGODB_URL: address });
    expect(read).toThrow('MONGODB_URL: it must be mongodb://');
    expect(read).not.toThrow('secret');
  },
);

test('an address may name several members and options, or be looked up', () => {
  for (const address of ['mongodb://a:1,b:2/name?replicaSet=rs0&tls=true', 'mongodb+srv://user:x@cluster.test/name'])
    expect(readSettings({ MONGODB_URL: address }).mongodbUrl).toBe(address);
});

describe('the password of MongoDB from a file', () => {
  const file = join(tmpdir(), `password-${randomUUID()}`);
  const MONGODB_PASSWORD_FILE = file;
  const MONGODB_URL = 'mongodb://service@a:1,b:2/name?replicaSet=rs0&authSource=admin';
  beforeAll(() => writeFileSync(file, 'p@ss/w:rd\n', { mode: 0o600 }));
  afterAll(() => rmSync(file));

  test('stands in the address as its user has it', () => {
    expect(readSettings({ MONGODB_URL, MONGODB_PASSWORD_FILE }).mongodbUrl).toBe(
      'mongodb://service:p%40ss%2Fw%3Ard@a:1,b:2/name?replicaSet=rs0&authSource=admin',
    );
  });

  test.each(['mongodb://service:other@host/name', 'mongodb://host/name'])('is refused beside %s', address => {
    const read = () => readSettings({ MONGODB_URL: address, MONGODB_PASSWORD_FILE });
    expect(read).toThrow('MONGODB_PASSWORD_FILE: MONGODB_URL must name a user without a password');
    expect(read).not.toThrow('other');
  });

  test('is missed by name', () => {
    const missing = { MONGODB_URL, MONGODB_PASSWORD_FILE: `${file}-not-there` };
    expect(() => readSettings(missing)).toThrow('MONGODB_PASSWORD_FILE: cannot be read (ENOENT).');
  });
});
