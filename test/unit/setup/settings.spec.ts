import { isAbsolute, resolve } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Unavailable } from '#libs/kernel/refusal.js';
import { browserRpcAddresses } from '#libs/setup/configured-rails.js';
import { localAddress } from '#libs/setup/listen-address.js';
import { explainStoreOutage } from '#libs/setup/store-places.js';
import { storeUnavailable } from '#libs/platform/sqlite/faults.js';
import { SettingError } from '#libs/setup/setting.js';
import { readSettings } from '#libs/setup/settings.js';
import { SETTINGS } from '#libs/setup/settings.table.js';

const WALLET = `0x${'1'.repeat(40)}`;
const RPC = { CHAIN: 'rpc', BASE_RPC_URL: 'https://rpc.example', RELAYER_KEY_FILE: '/a/key', SERVICE_WALLET: WALLET };
const USDC = '0x833589FCD6eDb6E08f4c7C32D4f71b54bdA02913'.toLowerCase();
const BROWSER_RPC = 'it must be one https address with a name or an IPv4 address, or one of localhost.';
const reading = (environment: { [name: string]: string }) => () => readSettings(environment);

describe('an empty environment', () => {
  test('runs a complete service on the development chain', () => {
    const settings = readSettings({});
    expect(settings).toMatchObject({ port: 3_000, host: '127.0.0.1', baseUrl: null, chain: 'dev', eventLog: 'sqlite' });
    expect(settings).toMatchObject({
      devChainPorts: [8_545, 8_546],
      baseRpc: [],
      rateLimits: { mode: 'dev', overrides: {} },
      serviceWallet: null,
    });
    expect(settings.fetchAllow).toEqual(['127.0.0.1:4321']);
    expect(isAbsolute(settings.dataDir)).toBe(true);
  });

  test('equals an environment with blank values', () => {
    const empty = Object.fromEntries(Object.values(SETTINGS).map(({ name }) => [name, '  ']));
    expect(readSettings(empty)).toEqual(readSettings({}));
  });
});

test('a remote facilitator needs its address, an RPC address and a wallet', () => {
  const missing = reading({ CHAIN: 'facilitator' });
  for (const name of ['FACILITATOR_URL', 'BASE_RPC_URL', 'SERVICE_WALLET']) expect(missing).toThrow(`${name}: CHAIN=`);
  expect(missing).not.toThrow('RELAYER_KEY_FILE');
});

describe('a setting', () => {
  test('drops slashes at the end of an address', () => {
    expect(readSettings({ BASE_URL: 'https://jobs.example//' }).baseUrl).toBe('https://jobs.example');
  });

  test('reads lists in order without blanks and empty entries', () => {
    const { baseRpc, fetchAllow } = readSettings({
      BASE_RPC_URL: ' https://b.example , http://a.example:1,,',
      FETCH_ALLOW: 'localhost:1, localhost:2',
    });
    expect(baseRpc).toEqual(['https://b.example', 'http://a.example:1']);
    expect(fetchAllow).toEqual(['localhost:1', 'localhost:2']);
  });

  test('accepts a browser node on https or on the local machine', () => {
    const read = readSettings({
      BASE_BROWSER_RPC: 'https://a.example/v1/key?x=1',
      ROBINHOOD_BROWSER_RPC: 'http://127.0.0.1:8546',
    });
    expect(browserRpcAddresses(read)).toEqual({
      base: 'https://a.example/v1/key?x=1',
      robinhood: 'http://127.0.0.1:8546/',
    });
    expect(browserRpcAddresses(readSettings({}))).toEqual({});
  });

  test('titles a board after its slug unless it has its own title', () => {
    expect(readSettings({}).boards.map(({ slug }) => slug)).toEqual(['general', 'dev', 'jobs', 'show']);
    expect(readSettings({ BOARDS: 'dev, jobs=Paid work' }).boards).toEqual([
      { slug: 'dev', title: 'Dev' },
      { slug: 'jobs', title: 'Paid work' },
    ]);
  });

  test.each(['mailto:security@example.org', 'https://example.org/security', 'tel:+1-201-555-0123'])(
    'accepts the security contact %s',
    contact => expect(readSettings({ SECURITY_CONTACT: contact }).securityContact).toBe(contact),
  );

  test('accepts ports including zero', () => {
    expect(readSettings({ PORT: '0', DEV_CHAIN_PORTS: '0, 0' })).toMatchObject({ port: 0, devChainPorts: [0, 0] });
  });
});

describe('a wrong setting', () => {
  const wrong: [name: string, value: string, sentence: string][] = [
    ['PORT', '65536', '"65536" must be a port from 0 to 65535.'],
    ['PORT', '-1', '"-1" must be a port from 0 to 65535.'],
    ['PORT', '3000x', '"3000x" must be a port from 0 to 65535.'],
    ['BASE_URL', 'jobs.example', '"jobs.example" must be an http or https address.'],
    ['BASE_URL', 'ftp://jobs.example', '"ftp://jobs.example" must be an http or https address.'],
    ['BASE_URL', ',', '"," must be one http or https address.'],
    [
      'BASE_URL',
      'https://user:pw@jobs.example?x=1',
      'it must be an address without user name, password, query and fragment.',
    ],
    ['BASE_URL', 'http://a,http://b', '"http://a,http://b" must be one http or https address.'],
    ['CHAIN', 'main', '"main" must be one of dev, rpc, facilitator.'],
    ['DEV_CHAIN_PORTS', '8545', '"8545" must be two ports, comma separated.'],
    ['DEV_CHAIN_PORTS', '8545,8545', '"8545,8545" names the same port twice: the two nodes need different ports.'],
    ['DEV_CHAIN_PORTS', '1,2,3', '"1,2,3" must be two ports, comma separated.'],
    ['DEV_CHAIN_PORTS', '1,x', '"x" must be a port from 0 to 65535.'],
    ['BASE_RPC_URL', 'https://a.example,b.example', 'address 2 of 2 must be an http or https address.'],
    ['ROBINHOOD_RPC_URL', 'file:///etc', 'address 1 of 1 must be an http or https address.'],
    ['BASE_BROWSER_RPC', 'wss://a.example', BROWSER_RPC],
    ['BASE_BROWSER_RPC', 'http://a.example', BROWSER_RPC],
    ['BASE_BROWSER_RPC', 'https://a.example,https://b.example', BROWSER_RPC],
    ['BASE_BROWSER_RPC', 'https://[2001:db8::1]/', BROWSER_RPC],
    ['ROBINHOOD_BROWSER_RPC', 'https://a.example;script-src', BROWSER_RPC],
    ['ROBINHOOD_BROWSER_RPC', "https://a.example; script-src 'unsafe-inline'", BROWSER_RPC],
    [
      'ROBINHOOD_BROWSER_RPC',
      'https://me:secret@a.example',
      'it is public: it must be an address without user name, password and fragment.',
    ],
    ['SERVICE_WALLET', '0x12', '"0x12" must be 0x and 40 hex digits.'],
    ['SERVICE_WALLET', `0x${'0'.repeat(40)}`, `"0x${'0'.repeat(40)}" has no owner: payments to it are lost.`],
    ['SERVICE_WALLET', USDC, `"${USDC}" has no owner: payments to it are lost.`],
    ['FETCH_ALLOW', 'a:1,a:99999', 'a:99999 is not host:port.'],
    ['FETCH_ALLOW', 'a:0', 'a:0 is not host:port.'],
    ['MESSAGE_TAG', 'Service V1', '"Service V1" must be 1 to 40 of a-z, 0-9 and -.'],
    ['TOKEN_PREFIX', 'tok-', '"tok-" must be 1 to 40 of a-z, 0-9 and _.'],
    ['TOKEN_DAYS', '0', 'it must be at least 1.'],
    ['TOKEN_DAYS', '36501', 'it must be at most 36500.'],
    ['MAIL_DOMAIN', 'a@b', '"a@b" must be a domain name.'],
    ['DRIFT_CHECK_SECONDS', '1.5', '"1.5" must be a whole number.'],
    ['TRUST_PROXY', 'yes', '"yes" must be a whole number.'],
    ['RATE_LIMITS', 'no', '"no" must be on, dev, off, or the path of a readable JSON file.'],
    ...['Dev', 'two words', 'dev='].map((entry): [string, string, string] => [
      'BOARDS',
      entry,
      `"${entry}" must be a slug, or slug=title.`,
    ]),
    ...['security@example.org', 'http://example.org/security', 'https://', 'mailto:a@example.org\nExpires: never'].map(
      (contact): [string, string, string] => [
        'SECURITY_CONTACT',
        contact,
        `"${contact}" must be an address that begins`,
      ],
    ),
    ['LOG_LEVEL', 'loud', '"loud" must be one of fatal, error, warn, info, debug, trace, silent.'],
  ];

  test.each(wrong)('is refused with an explanation: %s=%s', (name, value, sentence) => {
    expect(reading({ [name]: value })).toThrow(SettingError);
    expect(reading({ [name]: value })).toThrow(`${name}: ${sentence}`);
  });

  test.each(['EVENT_LOG', 'DOCUMENTS', 'VAULT'])('is refused for an unknown store: %s', name => {
    expect(reading({ [name]: 'memory' })).toThrow(new RegExp(`^${name}: "memory" must be one of .*sqlite`));
  });
});

describe('several wrong settings', () => {
  test('are reported together', () => {
    const sentences = 'PORT: "x" must be a port from 0 to 65535.\nCHAIN: "moon" must be one of dev, rpc, facilitator.';
    expect(reading({ CHAIN: 'moon', PORT: 'x' })).toThrow(new SettingError('PORT', sentences.slice('PORT: '.length)));
    const { RELAYER_KEY_FILE: _key, SERVICE_WALLET: _wallet, ...lacking } = RPC;
    expect(reading({ ...lacking, DOCUMENTS: 'mongodb' })).toThrow(
      /^MONGODB_URL: .*\nRELAYER_KEY_FILE: .*\nSERVICE_WALLET: .*$/,
    );
  });
});

describe('the address in credentials and offers', () => {
  test('is the local machine in development for any listening host', () => {
    expect(localAddress('0.0.0.0', 3_000)).toBe('http://127.0.0.1:3000');
    expect(localAddress('::', 3_000)).toBe('http://[::1]:3000');
    expect(localAddress('::1', 3_431)).toBe('http://[::1]:3431');
    expect(localAddress('jobs.local', 80)).toBe('http://jobs.local:80');
    expect(reading({ HOST: '0.0.0.0' })).not.toThrow();
  });

  test.each(['0.0.0.0', '::'])('must be set for HOST=%s with a real chain', HOST => {
    const sentence = `BASE_URL: HOST=${HOST} is not an address that clients can call: set the public address.`;
    expect(reading({ ...RPC, HOST })).toThrow(sentence);
    expect(reading({ ...RPC, HOST, BASE_URL: 'https://jobs.example' })).not.toThrow();
  });
});

describe('an error of an unreachable remote store', () => {
  const environment = {
    EVENT_LOG: 'eventstoredb',
    EVENTSTORE_URL: 'kurrentdb+discover://user:secret@localhost:1,localhost:2?tls=false',
    VAULT: 'mongodb',
    MONGODB_URL: 'mongodb://user:secret@localhost:3/name?replicaSet=rs0',
  };
  const explained = (what: string) => explainStoreOutage(new Unavailable(what), readSettings(environment));

  test.each([
    ['The event log', 'The event log cannot be reached. EVENTSTORE_URL names localhost:1, localhost:2.'],
    ['The vault', 'The vault cannot be reached. MONGODB_URL names localhost:3.'],
    [
      'The document store',
      `The document store cannot be reached. Check that documents.db can be written in DATA_DIR (${resolve('data')}).`,
    ],
    [
      'The shared state',
      `The shared state cannot be reached. Check that coordination.db can be written in DATA_DIR (${resolve('data')}).`,
    ],
    ['The chain base', 'The chain base cannot be reached.'],
  ])('names the setting and the hosts of %s without a password', async (what, sentence) => {
    expect(await explained(what)).toMatchObject({ message: sentence });
  });
});

describe('an error of an embedded store', () => {
  const outage = (what: string, errcode: number) =>
    explainStoreOutage(storeUnavailable(what, Object.assign(new Error(), { errcode })), readSettings({}));

  test.each([
    ['a full disk', 13, `The vault cannot be written: its disk is full. Make room on the disk of ${resolve('data')}`],
    ['damage', 11, 'The vault is damaged. Restore a backup into an empty DATA_DIR'],
    ['another kind of file', 26, 'The vault is not a SQLite database. Restore a backup into an empty DATA_DIR'],
    ['a failed read', 266, 'The vault cannot be reached. Check that vault.db'],
  ])('explains %s and a remedy', async (_cause, errcode, sentence) => {
    expect(await outage('The vault', errcode)).toMatchObject({ message: expect.stringContaining(sentence) });
  });
});

describe('CHAIN=rpc', () => {
  test('needs one chain, a relayer and a wallet for fees', () => {
    expect(readSettings(RPC)).toMatchObject({ chain: 'rpc', fetchAllow: [], serviceWallet: WALLET });
    const { BASE_RPC_URL: _base, ...other } = RPC;
    expect(readSettings({ ...other, ROBINHOOD_RPC_URL: 'https://rpc.example' })).toMatchObject({ baseRpc: [] });
  });

  test.each([
    ['BASE_RPC_URL', 'CHAIN=rpc needs an RPC address of at least one chain.'],
    ['RELAYER_KEY_FILE', 'CHAIN=rpc needs the key of a relayer.'],
    ['SERVICE_WALLET', 'CHAIN=rpc needs an address for fees.'],
  ])('is refused without %s', (name, sentence) => {
    expect(reading({ ...RPC, [name]: '' })).toThrow(`${name}: ${sentence}`);
  });

  test.each([
    ['RATE_LIMITS', 'off'],
    ['FETCH_ALLOW', '127.0.0.1:4321'],
    ['TEST_CLOCK_FILE', '/a/clock'],
  ])('is refused with %s=%s', (name, value) => {
    expect(reading({ ...RPC, [name]: value })).toThrow(`${name}: is only for CHAIN=dev.`);
  });
});
