import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readSettings } from '#libs/setup/settings.js';
import { openEventLog } from '#libs/setup/store-adapters.js';
import { makeFolder } from '../../temporary-folder.js';

const EVENTSTORE_URL = 'esdb://127.0.0.1:2113?tls=false';

test('uses a file, or EventStoreDB if chosen, which connects on the first call', async () => {
  const folder = makeFolder();
  const settings = (environment: object) => readSettings({ DATA_DIR: folder, ...environment });
  const remote = await openEventLog(settings({ EVENT_LOG: 'eventstoredb', EVENTSTORE_URL }));
  expect([remote.kind, readdirSync(folder)]).toEqual(['eventstoredb', []]);
  await remote.close();
  const embedded = await openEventLog(settings({ EVENTSTORE_URL }));
  expect(embedded.kind).toBe('sqlite');
  await embedded.close();
});

test('requires an address to choose EventStoreDB', () => {
  const read = () => readSettings({ EVENT_LOG: 'eventstoredb' });
  expect(read).toThrow('EVENTSTORE_URL: EVENT_LOG=eventstoredb needs it: esdb://host:2113?tls=false');
});

test.each([
  'esdb://',
  'esdb://host:port',
  'esdb://user:secret@',
  'esdb://secret@host:2113',
  'http://user:secret@host:2113',
  'esdb://user:secret@host:2113/ x',
  'kurrent://user:secret@host',
])('rejects the invalid address %s without repeating it', address => {
  const read = () => readSettings({ EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: address });
  expect(read).toThrow('EVENTSTORE_URL: it must be esdb://host:2113?tls=false');
  expect(read).not.toThrow('secret');
});

const secret = 'esdb://user:secret@host:2113';
test.each([
  [`${secret}?tsl=false`, 'its option tsl is not known.'],
  [`${secret}?tls=flase`, 'its option tls must be true or false.'],
  [`${secret}?tls`, 'its option tls must have one value.'],
  [`${secret}?tls=true&&`, 'its options must be name=value, with & between them.'],
  [`${secret}?tls=true&keep_alive_interval=soon`, 'its option keep_alive_interval must be a whole number.'],
  [`${secret}?nodePreference=best`, 'its option nodePreference must be leader, follower, readOnlyReplica or random.'],
  [`${secret}?tlsCAFile=/not/there`, 'its option tlsCAFile names a file that does not exist.'],
  [`${secret}?tlsCAFile=/`, 'its option tlsCAFile names a folder, not a file.'],
  [`${secret}?throwOnAppendFailure=false`, 'its option throwOnAppendFailure cannot be false'],
  [`${secret}?tlsVerifyCert=false`, 'its option tlsVerifyCert cannot be false'],
  ['esdb://user:sec?secret@host:2113', 'a ?, / or @ in its user name or password must be percent-encoded.'],
])('rejects %s with the name of the option', (address, sentence) => {
  const read = () => readSettings({ EVENTSTORE_URL: address });
  expect(read).toThrow(`EVENTSTORE_URL: ${sentence}`);
  expect(read).not.toThrow('secret');
});

test('accepts every option of the client', () => {
  const address =
    'esdb://user:p%40ss@a.example:2113,b.example?tls=true&tlsVerifyCert=true&TLS-CA-FILE=%2Fdev%2Fnull&connectionName=x&' +
    'nodePreference=read_only_replica&throwOnAppendFailure=true&maxDiscoverAttempts=3&discoveryInterval=1&' +
    'gossipTimeout=1&defaultDeadline=1&keepAliveInterval=-1&keepAliveTimeout=1';
  expect(readSettings({ EVENTSTORE_URL: address }).eventstoreUrl).toBe(address);
});

test.each(['esdb://a:2113,b:2113?tls=true', 'esdb+discover://user:pass@cluster.example:2113'])(
  'accepts the cluster address %s',
  address => {
    const settings = readSettings({ EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: address });
    expect(settings.eventstoreUrl).toBe(address);
  },
);

test.each(['kurrentdb://', 'kdb://', 'kurrentdb+discover://', 'kdb+discover://'])(
  'accepts the KurrentDB scheme %s',
  scheme => {
    const settings = readSettings({ EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: `${scheme}user:pass@a.example:2113` });
    const same = scheme.includes('discover') ? 'esdb+discover://' : 'esdb://';
    expect(settings.eventstoreUrl).toBe(`${same}user:pass@a.example:2113`);
  },
);

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
