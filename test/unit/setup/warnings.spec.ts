import { describe, expect, test } from '@jest/globals';
import { readSettings, settingWarnings } from '#libs/setup/settings.js';
import { describeStop } from '#libs/setup/store-places.js';

const WALLET = `0x${'1'.repeat(40)}`;
const RPC = { CHAIN: 'rpc', BASE_RPC_URL: 'https://rpc.example', RELAYER_KEY_FILE: '/a/key', SERVICE_WALLET: WALLET };

describe('an unused setting', () => {
  const warningsFor = (environment: { [name: string]: string }) =>
    settingWarnings(readSettings(environment), environment);

  test('is reported with the condition for its use', () => {
    const [MONGODB_URL, EVENTSTORE_URL] = ['mongodb://a/name', 'esdb://a:1'];
    expect(warningsFor({ MONGODB_URL, EVENTSTORE_URL, RELAYER_KEY_FILE: '/a/key' })).toEqual([
      'EVENTSTORE_URL is set but only used with EVENT_LOG=eventstoredb.',
      'MONGODB_URL is set but only used with DOCUMENTS=mongodb or VAULT=mongodb.',
      'RELAYER_KEY_FILE is set but only used with CHAIN=rpc.',
    ]);
    expect(warningsFor({ ...RPC, DEV_CHAIN_PORTS: '1,2' })).toEqual([
      'DEV_CHAIN_PORTS is set but only used with CHAIN=dev.',
    ]);
    expect(warningsFor({ MONGODB_URL, VAULT: 'mongodb', EVENTSTORE_URL, EVENT_LOG: 'eventstoredb' })).toEqual([]);
    expect(warningsFor({ MONGODB_URL: ' ' })).toEqual([]);
  });
});

test.each([
  ['0.0.0.0', 1],
  ['::', 1],
  ['192.168.1.4', 1],
  ['jobs.local', 1],
  ['127.0.0.1', 0],
  ['127.9.9.9', 0],
  ['::1', 0],
  ['::ffff:127.0.0.1', 0],
  ['localhost', 0],
])('HOST=%s with a development chain gives %i warnings', (HOST, count) => {
  const warnings = settingWarnings(readSettings({ HOST }), {});
  expect(warnings).toHaveLength(count);
  for (const sentence of warnings) expect(sentence).toContain(`HOST=${HOST} opens this service to other machines`);
  expect(settingWarnings(readSettings({ ...RPC, HOST, BASE_URL: 'https://jobs.example' }), {})).toEqual([]);
});

describe('the last line of a stopped service', () => {
  const esdb = { EVENT_LOG: 'eventstoredb', EVENTSTORE_URL: 'esdb://user:secret@a:2113,b:2113?tls=false' };
  const mongodb = { DOCUMENTS: 'mongodb', MONGODB_URL: 'mongodb://user:secret@c:27017/name' };
  test.each([
    [{}, './data'],
    [{ DATA_DIR: '/srv/jobs' }, '/srv/jobs'],
    [{ DATA_DIR: '.' }, '.'],
    [{ ...RPC, ...esdb, ...mongodb }, 'EventStoreDB at a:2113, b:2113 and MongoDB at c:27017'],
    [{ ...esdb, ...mongodb }, 'EventStoreDB at a:2113, b:2113 and MongoDB at c:27017 and ./data'],
    [{ ...RPC, ...mongodb, VAULT: 'sqlite' }, './data and MongoDB at c:27017'],
  ])('names the stores of %j', (environment, places) => {
    expect(describeStop(readSettings(environment))).toBe(`Stopped. Data kept in ${places}`);
  });
});
