import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { openEventLog } from '#libs/setup/store-adapters.js';
import { readSettings } from '#libs/setup/settings.js';

const EVENTSTORE_URL = 'esdb://127.0.0.1:2113?tls=false';

test('uses a file, or EventStoreDB if chosen, which connects on the first call', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'event-log-'));
  const settings = (environment: object) => readSettings({ DATA_DIR: folder, ...environment });
  const remote = await openEventLog(settings({ EVENT_LOG: 'eventstoredb', EVENTSTORE_URL }));
  expect([remote.kind, readdirSync(folder)]).toEqual(['eventstoredb', []]);
  await remote.close();
  const embedded = await openEventLog(settings({ EVENTSTORE_URL }));
  expect(embedded.kind).toBe('sqlite');
  await embedded.close();
  rmSync(folder, { recursive: true });
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
