import { describe, expect, test } from '@jest/globals';
import { Muse } from '#libs/domain/muse.js';
import { createHouse, HouseMuse, houseSeed } from '#libs/features/identity/house-muse.js';
import { IdentitySettings } from '#libs/features/identity/issued-email.js';
import { SYSTEM_ACCOUNT_ID } from '#libs/kernel/system-account.js';
import { publicKeyOf } from '#libs/platform/signing/ed25519.js';
import { MemoryVault } from '../../doubles/memory-vault.js';
import { asEvents, given, integers, stateOf } from '../../given.js';
import { InMemoryStores } from '../in-memory-stores.js';
import { deciding } from './deciding.js';
import * as world from './worlds.js';

const KEY = 'A'.repeat(43);
const open = (muse: Muse) => createHouse(muse, KEY, 'the-house@mail.invalid', deciding(SYSTEM_ACCOUNT_ID).ids);

describe('the house identity', () => {
  test('has a key, has joined and seeks no work', () => {
    const facts = given(Muse).when(open).thenTypes('Registered', 'Joined');
    const quiet = { open_to_work: false, job_alerts: false, daily: false, match: false };
    expect(facts[0]!.data).toMatchObject({ muse_id: SYSTEM_ACCOUNT_ID, public_key: KEY, kind: 'house' });
    expect(stateOf(Muse, ...facts)).toMatchObject({ skills: [], ...quiet });
    expect(facts[1]!.data).toMatchObject({ muse_id: SYSTEM_ACCOUNT_ID, referred_by: null });
  });

  test('is created once', () => {
    given(Muse, world.registered).when(open).thenNothing();
    given(Muse, world.registered, world.joined).when(open).thenNothing();
  });
});

describe('a starting service', () => {
  const starting = (stores: InMemoryStores, vault: MemoryVault) =>
    new HouseMuse(stores.journal, vault, stores.clock, integers, new IdentitySettings('mail.invalid'));
  const stream = Muse.streamName(SYSTEM_ACCOUNT_ID);

  test('creates the house once', async () => {
    const [stores, vault] = [new InMemoryStores(), new MemoryVault()];
    await starting(stores, vault).ensure();
    await starting(stores, vault).ensure();
    expect(stores.types(stream)).toEqual(['Registered', 'Joined']);
    const events = await stores.journal.read(stream);
    expect(events[0]!.data).toMatchObject({ public_key: publicKeyOf(await houseSeed(vault)) });
  });

  test('starts even if the house cannot be read', async () => {
    const [stores, vault] = [new InMemoryStores(), new MemoryVault()];
    const [newer] = asEvents([{ type: 'SongSung', version: 1, data: {} }], stream);
    await stores.log.append(stream, 'none', [newer as never]);
    await starting(stores, vault).ensure();
    expect(stores.types(stream)).toEqual(['SongSung']);
  });

  test('creates one house with one key if two start together', async () => {
    const [stores, vault] = [new InMemoryStores(), new MemoryVault()];
    await Promise.all([starting(stores, vault).ensure(), starting(stores, vault).ensure()]);
    expect(stores.types(stream)).toEqual(['Registered', 'Joined']);
    const { state } = await stores.journal.load({ stream, entity: Muse });
    expect(state).toMatchObject({ public_key: publicKeyOf(await houseSeed(vault)) });
  });

  test('fails with a clear error if the house key was destroyed', async () => {
    const vault = new MemoryVault();
    await vault.destroy('house/key');
    await expect(starting(new InMemoryStores(), vault).ensure()).rejects.toThrow('The key of the house was destroyed.');
  });
});
