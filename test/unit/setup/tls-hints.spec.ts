import { writeFileSync } from 'node:fs';
import { createSecureServer } from 'node:http2';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Unavailable } from '#libs/kernel/refusal.js';
import { readSettings } from '#libs/setup/settings.js';
import { explainStoreOutage } from '#libs/setup/store-places.js';
import { openStores } from '#libs/setup/stores.js';
import { selfSigned } from '../../certificate.js';
import { EventStoreDouble } from '../../doubles/eventstoredb/server.js';
import { listen } from '../../listen.js';
import { makeFolder } from '../../temporary-folder.js';

const folder = makeFolder();
const AUTHORITY = join(folder, 'authority.pem');
const certificate = selfSigned('localhost');
const tlsServer = createSecureServer(certificate).on('sessionError', () => undefined);
let double: EventStoreDouble;
let ports: { readonly plain: string; readonly tls: string };
beforeAll(async () => {
  writeFileSync(AUTHORITY, certificate.cert);
  double = await EventStoreDouble.start();
  ports = { plain: /:(\d+)\?/.exec(double.url)![1]!, tls: new URL(await listen(tlsServer)).port };
});
afterAll(async () => {
  tlsServer.close();
  await double.kill();
});

const FORMS = [
  (host: string) => `esdb://user:secret@${host}`,
  (host: string) => `kurrentdb://user:secret@${host},${host}`,
  (host: string) => `esdb+discover://user:secret@${host}`,
];

test.each([
  ['plain', 'localhost', [], 'The server does not speak TLS: add tls=false to EVENTSTORE_URL, or turn TLS on at the'],
  ['tls', 'localhost', ['tls=false'], 'The server speaks TLS only: remove tls=false from EVENTSTORE_URL.'],
  [
    'tls',
    'localhost',
    [],
    'Its certificate is not trusted: name the file of its authority as tlsCAFile in EVENTSTORE_URL.',
  ],
  ['tls', '127.0.0.1', [`tlsCAFile=${AUTHORITY}`], 'Its certificate is for another host than EVENTSTORE_URL names.'],
] as const)('a start names the fault of a %s server at %s, with options %j: %s', async (kind, name, options, hint) => {
  const host = `${name}:${ports[kind]}`;
  for (const form of FORMS) {
    const EVENTSTORE_URL = `${form(host)}?${[...options, 'discoveryInterval=10'].join('&')}`;
    const settings = readSettings({ DATA_DIR: join(folder, 'data'), EVENT_LOG: 'eventstoredb', EVENTSTORE_URL });
    const { message } = (await openStores(settings).catch(error => explainStoreOutage(error, settings))) as Error;
    expect(message).toContain(`EVENTSTORE_URL names ${host}`);
    expect(message).toContain(hint);
    expect(message).not.toMatch(/secret|SSL|UNAVAILABLE/);
  }
});

test('an outage of MongoDB asks for tls=true if the server speaks TLS only', async () => {
  const MONGODB_URL = `mongodb://user:secret@localhost:${ports.tls}/name?replicaSet=rs0`;
  const settings = readSettings({ VAULT: 'mongodb', MONGODB_URL });
  expect(await explainStoreOutage(new Unavailable('The vault'), settings)).toMatchObject({
    message: `The vault cannot be reached. MONGODB_URL names localhost:${ports.tls}. The server speaks TLS only: add tls=true to MONGODB_URL.`,
  });
});

test('an outage of MongoDB is explained whatever its other options contain', async () => {
  const MONGODB_URL = 'mongodb://localhost:1/name?replicaSet=rs0&appName=50%';
  const settings = readSettings({ VAULT: 'mongodb', MONGODB_URL });
  expect(await explainStoreOutage(new Unavailable('The vault'), settings)).toMatchObject({
    message: 'The vault cannot be reached. MONGODB_URL names localhost:1.',
  });
});
