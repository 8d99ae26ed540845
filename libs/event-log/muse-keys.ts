import { randomBytes } from 'node:crypto';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import { type VaultEntry, KEYS_PER_READ_MAX, type Vault } from '#libs/platform/vault/port.js';

const KEY_BYTES = 32;
const KEYS_MAX = 50_000;

export type KeySnapshot = ReadonlyMap<string, Buffer | null>;

export const HELD_KEY = 'service';

export class MuseKeys {
  private readonly cache = createLruCache<string, Buffer>(KEYS_MAX);

  /** Incremented whenever a key is dropped: caches of decrypted values must be cleared then. */
  private drops = 0;

  /** `enforced` resolves once no forgotten muse has a key. The vault is not read before. */
  constructor(
    private readonly vault: Vault,
    private readonly enforced: () => Promise<unknown> = async () => undefined,
  ) {}

  get generation(): number {
    return this.drops;
  }

  async forSealing(owner: string): Promise<Buffer | null> {
    const cached = this.cache.get(owner);
    if (cached) return cached;
    if (owner !== HELD_KEY) await this.enforced();
    const { drops } = this;
    const value =
      (await this.vault.get(keyName(owner))) ?? (await this.vault.putIfAbsent(keyName(owner), randomBytes(KEY_BYTES)));
    return this.store(owner, value, drops);
  }

  /** Null if the key was destroyed or never existed. */
  async forOpening(owner: string): Promise<Buffer | null> {
    const cached = this.cache.get(owner);
    if (cached) return cached;
    if (owner !== HELD_KEY) await this.enforced();
    const { drops } = this;
    return this.store(owner, await this.vault.get(keyName(owner)), drops);
  }

  async forOpeningAll(owners: ReadonlySet<string>): Promise<KeySnapshot> {
    const keys = new Map<string, Buffer | null>();
    const missing: string[] = [];
    for (const owner of owners) {
      const cached = this.cache.get(owner);
      if (cached) keys.set(owner, cached);
      else missing.push(owner);
    }
    if (missing.some(owner => owner !== HELD_KEY)) await this.enforced();
    for (let at = 0; at < missing.length; at += KEYS_PER_READ_MAX) {
      const { drops } = this;
      const batch = missing.slice(at, at + KEYS_PER_READ_MAX);
      const entries = await this.vault.getMany(batch.map(keyName));
      for (const owner of batch) keys.set(owner, this.store(owner, entries.get(keyName(owner)), drops));
    }
    return keys;
  }

  cached(owner: string): Buffer | undefined {
    return this.cache.get(owner);
  }

  async destroy(owner: string): Promise<void> {
    this.drop(owner);
    await this.vault.destroy(keyName(owner));
    this.drop(owner);
  }

  async destroyAll(owners: readonly string[]): Promise<void> {
    for (let at = 0; at < owners.length; at += KEYS_PER_READ_MAX) {
      const batch = owners.slice(at, at + KEYS_PER_READ_MAX);
      const entries = await this.vault.getMany(batch.map(keyName));
      for (const owner of batch) {
        if (entries.get(keyName(owner)) === 'destroyed') this.drop(owner);
        else await this.destroy(owner);
      }
    }
  }

  drop(owner: string): void {
    this.cache.delete(owner);
    this.drops += 1;
  }

  /** A key read before a drop may be the destroyed one and is not cached. */
  private store(owner: string, value: VaultEntry | undefined, drops: number): Buffer | null {
    if (value === undefined || value === 'destroyed') return null;
    const key = Buffer.from(value);
    if (drops === this.drops) this.cache.set(owner, key);
    return key;
  }
}

const keyName = (owner: string) => `seal/${owner}`;
