import { expect, test } from '@jest/globals';
import { MuseKeys } from '#libs/event-log/muse-keys.js';
import { type VaultEntry, KEYS_PER_READ_MAX } from '#libs/platform/vault/port.js';
import { InMemoryStores } from './in-memory-stores.js';
import { told } from './features/worlds.js';
import { asEvents } from '../given.js';
import { Codec } from '#libs/event-log/codec.js';
import { MemoryVault } from '../doubles/memory-vault.js';
import { EVENT_TYPES } from '#libs/features/streams.js';

const OTHERS = 60_000;
const isCached = (keys: MuseKeys, owner: string) => keys.forOpening(owner) instanceof Buffer;

test('the key cache keeps a frequently used key when it is full', async () => {
  const keys = new MuseKeys(new MemoryVault());
  for (let n = 0; n < OTHERS; n += 1) {
    await keys.forSealing(`agent_${n}`);
    await keys.forSealing('agent_busy');
  }
  expect([isCached(keys, 'agent_busy'), isCached(keys, 'agent_0')]).toEqual([true, false]);
});

class CountedVault extends MemoryVault {
  readonly asked: number[] = [];
  /** Runs before a read returns. */
  meanwhile: () => Promise<void> = async () => undefined;

  override async get(name: string): Promise<VaultEntry | undefined> {
    this.asked.push(1);
    const held = await super.get(name);
    await this.meanwhile();
    return held;
  }

  override async getMany(names: readonly string[]): Promise<ReadonlyMap<string, VaultEntry>> {
    this.asked.push(names.length);
    const held = await super.getMany(names);
    await this.meanwhile();
    return held;
  }
}

/** Creates a log with two profile updates per muse and a codec with an empty key cache. */
async function cold(muses: number) {
  const [stores, vault] = [new InMemoryStores(), new CountedVault()];
  const writing = new Codec(new MuseKeys(vault), EVENT_TYPES);
  const [update] = asEvents([told('ProfileUpdated')]);
  const stored = await Promise.all(
    Array.from({ length: 2 * muses }, (_, n) => writing.seal({ ...update!, id: `${n}`, actor: `agent_${n % muses}` })),
  );
  for (const event of stored) await stores.log.append(event.stream, 'any', [event]);
  vault.asked.length = 0;
  const keys = new MuseKeys(vault);
  return { vault, keys, codec: new Codec(keys, EVENT_TYPES), events: stores.log.events };
}

test('loads the keys of a page once in one query', async () => {
  const { vault, codec, events } = await cold(500);
  expect(await codec.openAll(events)).toHaveLength(1_000);
  await codec.openAll(events);
  expect(vault.asked).toEqual([500]);
});

test('splits a query for more keys than the vault allows', async () => {
  const { vault, codec, events } = await cold(KEYS_PER_READ_MAX + 1);
  await codec.openAll(events);
  expect(vault.asked).toEqual([KEYS_PER_READ_MAX, 1]);
});

test('loads destroyed keys of a page once and opens nothing with them', async () => {
  const { vault, keys, codec, events } = await cold(2);
  await keys.destroy('agent_0');
  const opened = await codec.openAll(events);
  const headlines = opened.map(({ data }) => (data as { headline: string | null }).headline);
  expect(headlines).toEqual([null, expect.any(String), null, expect.any(String)]);
  expect(vault.asked).toEqual([2]);
});

test('does not cache a key that is destroyed while it is loaded', async () => {
  const { vault, keys } = await cold(2);
  vault.meanwhile = async () => {
    vault.meanwhile = async () => undefined;
    await keys.destroy('agent_0');
  };
  await keys.forOpeningAll(new Set(['agent_0', 'agent_1']));
  expect(isCached(keys, 'agent_0')).toBe(false);
  expect(await keys.forOpening('agent_0')).toBeNull();
});
