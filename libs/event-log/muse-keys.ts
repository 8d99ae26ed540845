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

  /** Null if the key was destroyed. Not a promise if the key is cached. */
  forSealing(owner: string): Promise<Buffer | null> | Buffer {
    return this.cache.get(owner) ?? this.load(owner, name => this.vault.putIfAbsent(name, randomBytes(KEY_BYTES)));
  }

  /** Null if the key was destroyed or never existed. Not a promise if the key is cached. */
  forOpening(owner: string): Promise<Buffer | null> | Buffer {
    return this.cache.get(owner) ?? this.load(owner);
  }

  private async load(owner: string, create?: (name: string) => Promise<VaultEntry>): Promise<Buffer | null> {
    if (owner !== HELD_KEY) await this.enforced();
    const { drops } = this;
    const name = sealKeyName(owner);
    return this.store(owner, (await this.vault.get(name)) ?? (await create?.(name)), drops);
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
      const entries = await this.vault.getMany(batch.map(sealKeyName));
      for (const owner of batch) keys.set(owner, this.store(owner, entries.get(sealKeyName(owner)), drops));
    }
    return keys;
  }

  async destroy(owner: string): Promise<void> {
    this.drop(owner);
    await this.vault.destroy(sealKeyName(owner));
    this.drop(owner);
  }

  async destroyAll(owners: readonly string[]): Promise<void> {
    for (let at = 0; at < owners.length; at += KEYS_PER_READ_MAX) {
      const batch = owners.slice(at, at + KEYS_PER_READ_MAX);
      const entries = await this.vault.getMany(batch.map(sealKeyName));
      for (const owner of batch) {
        if (entries.get(sealKeyName(owner)) === 'destroyed') this.drop(owner);
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

export const sealKeyName = (owner: string) => `seal/${owner}`;
