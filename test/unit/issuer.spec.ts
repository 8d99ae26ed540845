import { createPrivateKey, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import pino from 'pino';
import { startService } from '#apps/gateway/service.js';
import { IssuerKeyAdded, IssuerKeyRetired, Service, findCurrentKey } from '#libs/domain/service.js';
import { Issuer, keyId, rotateIssuerKey } from '#libs/issuer/issuer.js';
import { systemClock } from '#libs/kernel/clock.js';
import { publicKeyOf, verifyStrict } from '#libs/platform/signing/ed25519.js';
import { publicKeyNoble, verifyNoble } from '#libs/platform/signing/noble-ed25519.js';
import { readEd25519Seed } from '#libs/setup/key-files.js';
import { readSettings } from '#libs/setup/settings.js';
import { openStores } from '#libs/setup/stores.js';
import { MemoryVault } from '../doubles/memory-vault.js';
import { asEvents, NOW, stateOf } from '../given.js';
import { InMemoryStores } from './in-memory-stores.js';
import { makeFolder } from '../temporary-folder.js';

const SEEDS = [1, 2].map(byte => Buffer.alloc(32, byte));
const address = { baseUrl: 'https://jobs.example' };
const keyOf = (seed: Uint8Array) => ({ kid: keyId(publicKeyOf(seed)), public_key: publicKeyOf(seed) });
/** Dependencies of an issuer with an empty log and vault. */
function opening() {
  const { journal, clock } = new InMemoryStores();
  return { journal, clock, address, vault: new MemoryVault() };
}

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const folder = makeFolder();

function fileOf(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

describe('the issuer key file', () => {
  const seed = randomBytes(32);
  const pem = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });

  test.each([
    ['one line with the seed', `${seed.toString('base64url')}\n`],
    ['a PKCS #8 PEM', pem.export({ format: 'pem', type: 'pkcs8' }).toString()],
  ])('can be %s', (name, text) => {
    expect(Buffer.from(readEd25519Seed('ISSUER_KEY_FILE', fileOf('key', text)))).toEqual(seed);
    expect(name).toBeDefined();
  });

  test.each(['', 'A'.repeat(42), '0x1234', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'])(
    'is rejected without showing its content if it is invalid: %j',
    text => {
      const read = () => readEd25519Seed('ISSUER_KEY_FILE', fileOf('wrong', text));
      expect(read).toThrow(/^ISSUER_KEY_FILE: must hold 43 base64url characters .*\.$/);
    },
  );
});

describe('the issuer', () => {
  test('keeps an imported key after the file is removed', async () => {
    const parts = opening();
    const seed = randomBytes(32);
    await Issuer.open(parts, seed);
    const again = await Issuer.open(parts, randomBytes(32));
    const { payload, signature, kid, key } = await again.sign({ b: 1, a: 'ü' });
    expect(payload).toBe('{"a":"ü","b":1,"issuer":"https://jobs.example"}');
    expect(kid).toBe(keyId(publicKeyNoble(seed)));
    expect(key).toBe('https://jobs.example/.well-known/service-issuer.json');
    expect(verifyNoble(publicKeyNoble(seed), Buffer.from(payload), signature)).toBe(true);
    expect(await again.keys()).toHaveLength(1);
  });

  test('uses a single key when two processes create keys at the same time', async () => {
    const parts = opening();
    const issuers = await Promise.all([Issuer.open(parts, null), Issuer.open(parts, null)]);
    const signed = await Promise.all(issuers.map(issuer => issuer.sign({ a: 1 })));
    expect(signed[0]).toEqual(signed[1]);
    expect(await issuers[0].keys()).toHaveLength(1);
  });
});

test('a key id is the thumbprint of RFC 8037, appendix A.3', () => {
  const thumbprint = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
  expect(keyId('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')).toBe(thumbprint);
});

test('the key history records the period of each key, and a key can return', () => {
  const [first, second] = SEEDS.map(keyOf);
  const rotated = [IssuerKeyAdded(first!), IssuerKeyRetired({ kid: first!.kid }), IssuerKeyAdded(second!)];
  const keys = stateOf(Service, ...rotated).keys;
  expect(keys).toEqual([
    { ...first, from: NOW, until: NOW },
    { ...second, from: NOW, until: null },
  ]);
  expect(findCurrentKey(keys)!.kid).toBe(second!.kid);
  const back = stateOf(Service, ...rotated, IssuerKeyRetired({ kid: second!.kid }), IssuerKeyAdded(first!)).keys;
  expect(back.map(({ until }) => until)).toEqual([NOW, NOW, null]);
  expect(findCurrentKey(back)!.kid).toBe(first!.kid);
  expect(findCurrentKey([])).toBeUndefined();
});

test('after a rotation the new key signs and old signatures still verify', async () => {
  const parts = opening();
  const issuer = await Issuer.open(parts, SEEDS[0]!);
  const before = await issuer.sign({ a: 1 });
  const [first, second] = SEEDS.map(keyOf);
  await parts.vault.putIfAbsent(`issuer/${second!.kid}`, SEEDS[1]!);
  const rotation = [IssuerKeyRetired({ kid: first!.kid }), IssuerKeyAdded(second!)];
  await parts.journal.append(Service.streamName(), 0, asEvents(rotation, Service.streamName()));
  const after = await issuer.sign({ a: 1 });
  expect([before.kid, after.kid]).toEqual([first!.kid, second!.kid]);
  const verifies = ({ payload, signature, kid }: typeof before, keys: Awaited<ReturnType<Issuer['keys']>>) =>
    verifyStrict(keys.find(key => key.kid === kid)!.public_key, payload, signature);
  const keys = await issuer.keys();
  expect([verifies(before, keys), verifies(after, keys)]).toEqual([true, true]);
});

describe('a document of an earlier time', () => {
  const keyIdIn = (jws: string) =>
    (JSON.parse(Buffer.from(jws.split('.')[0]!, 'base64url').toString()) as { readonly kid: string }).kid;

  test('is signed by the key of its time, unless that key is destroyed', async () => {
    const parts = opening();
    const issuer = await Issuer.open(parts, SEEDS[0]!);
    const before = await issuer.signJws({ a: 1 }, NOW);
    await rotateIssuerKey(parts.journal, parts.vault, { at: NOW + 1, cause: 'rotation', reason: 'a test' }, SEEDS[1]!);
    expect(await issuer.signJws({ a: 1 }, NOW)).toBe(before);
    const did = 'did:web:jobs.example';
    const [first, second] = SEEDS.map(keyOf);
    expect(keyIdIn(before)).toBe(`${did}#${first!.kid}`);
    expect(keyIdIn(await issuer.signJws({ a: 1 }, NOW + 2))).toBe(`${did}#${second!.kid}`);
    expect(keyIdIn(await issuer.signJws({ a: 1 }))).toBe(`${did}#${second!.kid}`);
    await parts.vault.destroy(`issuer/${first!.kid}`);
    const again = await Issuer.open(parts, null);
    expect(keyIdIn(await again.signJws({ a: 1 }, NOW))).toBe(`${did}#${second!.kid}`);
  });
});

test.each(['lost', 'destroyed'])('a vault whose current key is %s stops the start with an explanation', async how => {
  const { journal, clock } = new InMemoryStores();
  const vault = new MemoryVault();
  await Issuer.open({ journal, clock, address, vault }, SEEDS[0]!);
  const { kid } = keyOf(SEEDS[0]!);
  if (how === 'destroyed') await vault.destroy(`issuer/${kid}`);
  const restored = how === 'lost' ? new MemoryVault() : vault;
  await expect(Issuer.open({ journal, clock, address, vault: restored }, SEEDS[1]!)).rejects.toThrow(
    `The vault does not hold the log's current issuer key ${kid}: restore the vault that belongs to this log.`,
  );
});

test('saves a key in the vault before the log names it', async () => {
  const { journal, clock, log } = new InMemoryStores();
  const vault = new MemoryVault();
  log.faults.plan('append', 'unanswered');
  await expect(Issuer.open({ journal, clock, address, vault }, SEEDS[0]!)).rejects.toMatchObject({
    name: 'Unavailable',
  });
  const issuer = await Issuer.open({ journal, clock, address, vault }, null);
  expect((await issuer.sign({ a: 1 })).kid).toBe(keyOf(SEEDS[0]!).kid);
});

test('a service whose vault lacks the issuer key fails to start and cleans up', async () => {
  const settings = readSettings({ DATA_DIR: join(folder, 'data'), PORT: '0', DEV_CHAIN_PORTS: '0,0' });
  const stores = await openStores(settings);
  const { journal, vault } = stores;
  await Issuer.open({ journal, vault, clock: systemClock, address }, null);
  await stores.close();
  for (const file of readdirSync(settings.dataDir).filter(name => name.startsWith('vault.db')))
    rmSync(join(settings.dataDir, file));
  await expect(startService(settings, pino({ level: 'silent' }))).rejects.toThrow(/^The vault does not hold the log's/);
  expect(existsSync(join(settings.dataDir, 'chain'))).toBe(false);
});
