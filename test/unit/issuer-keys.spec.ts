import { expect, test } from '@jest/globals';
import { IssuerKeyAdded, IssuerKeyRetired, IssuerKeys, findCurrentKey } from '#libs/domain/service.js';
import { Issuer, keyId } from '#libs/issuer/issuer.js';
import { publicKeyOf, verifyStrict } from '#libs/platform/signing/ed25519.js';
import { MemoryVault } from '../doubles/memory-vault.js';
import { asEvents, NOW, stateOf } from '../given.js';
import { InMemoryStores } from './in-memory-stores.js';

const SEEDS = [1, 2].map(byte => Buffer.alloc(32, byte));
const address = { baseUrl: 'https://jobs.example' };
const keyOf = (seed: Uint8Array) => ({ kid: keyId(publicKeyOf(seed)), public_key: publicKeyOf(seed) });

test('a key id is the thumbprint of RFC 8037, appendix A.3', () => {
  const thumbprint = 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k';
  expect(keyId('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')).toBe(thumbprint);
});

test('the key history records the period of each key, and a key can return', () => {
  const [first, second] = SEEDS.map(keyOf);
  const rotated = [IssuerKeyAdded(first!), IssuerKeyRetired({ kid: first!.kid }), IssuerKeyAdded(second!)];
  const keys = stateOf(IssuerKeys, ...rotated);
  expect(keys).toEqual([
    { ...first, from: NOW, until: NOW },
    { ...second, from: NOW, until: null },
  ]);
  expect(findCurrentKey(keys)!.kid).toBe(second!.kid);
  const back = stateOf(IssuerKeys, ...rotated, IssuerKeyRetired({ kid: second!.kid }), IssuerKeyAdded(first!));
  expect(back.map(({ until }) => until)).toEqual([NOW, NOW, null]);
  expect(findCurrentKey(back)!.kid).toBe(first!.kid);
  expect(findCurrentKey([])).toBeUndefined();
});

test('after a rotation the new key signs and old signatures still verify', async () => {
  const { journal, clock } = new InMemoryStores();
  const parts = { journal, clock, address, vault: new MemoryVault() };
  const issuer = await Issuer.open(parts, SEEDS[0]!);
  const before = await issuer.sign({ a: 1 });
  const [first, second] = SEEDS.map(keyOf);
  await parts.vault.putIfAbsent(`issuer/${second!.kid}`, SEEDS[1]!);
  const rotation = [IssuerKeyRetired({ kid: first!.kid }), IssuerKeyAdded(second!)];
  await journal.append(IssuerKeys.streamName(), 0, asEvents(rotation, IssuerKeys.streamName()));
  const after = await issuer.sign({ a: 1 });
  expect([before.kid, after.kid]).toEqual([first!.kid, second!.kid]);
  const verifies = ({ payload, signature, kid }: typeof before, keys: Awaited<ReturnType<Issuer['keys']>>) =>
    verifyStrict(keys.find(key => key.kid === kid)!.public_key, payload, signature);
  const keys = await issuer.keys();
  expect([verifies(before, keys), verifies(after, keys)]).toEqual([true, true]);
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
