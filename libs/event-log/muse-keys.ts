import { randomBytes } from 'node:crypto';
import { createLruCache } from '#libs/kernel/lru-cache.js';
import { type VaultEntry, KEYS_PER_READ_MAX, type Vault } from '#libs/platform/vault/port.js';

const KEY_BYTES = 32;
/** How many keys one process keeps in memory. */
const KEYS_MAX = 50_000;

/** Keys as they were at one moment: null where one was destroyed or never was. */
export type KeySnapshot = ReadonlyMap<string, Buffer | null>;

/** Seals what no `forget` erases. */
export const HELD_KEY = 'service';

/** The keys that values are sealed with: one a muse, and one for held values. They live in the vault. */
export class MuseKeys {
  private readonly cache = createLruCache<string, Buffer>(KEYS_MAX);

  /** How often a key was dropped from memory: who keeps opened values in memory drops them then. */
  private drops = 0;

  /** `enforced`: resolves once no forgotten muse has a key; until then the vault is not asked for any. */
  constructor(
    private readonly vault: Vault,
    private readonly enforced: () => Promise<unknown> = async () => undefined,
  ) {}

  get generation(): number {
    return this.drops;
  }

  /** The key of a muse, made where there is none; null once it was destroyed. */
  async forSealing(owner: string): Promise<Buffer | null> {
    const cached = this.cache.get(owner);
    if (cached) return cached;
    if (owner !== HELD_KEY) await this.enforced();
    const { drops } = this;
    const value =
      (await this.vault.get(name(owner))) ?? (await this.vault.putIfAbsent(name(owner), randomBytes(KEY_BYTES)));
    return this.remember(owner, value, drops);
  }

  /** The key of a muse; null where it was destroyed or never was. */
  async forOpening(owner: string): Promise<Buffer | null> {
    const cached = this.cache.get(owner);
    if (cached) return cached;
    if (owner !== HELD_KEY) await this.enforced();
    const { drops } = this;
    return this.remember(owner, await this.vault.get(name(owner)), drops);
  }

  /** As `forOpening`, of many, in as few questions as they fit in. */
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
      const asked = missing.slice(at, at + KEYS_PER_READ_MAX);
      const found = await this.vault.getMany(asked.map(name));
      for (const owner of asked) keys.set(owner, this.remember(owner, found.get(name(owner)), drops));
    }
    return keys;
  }

  /** From memory alone: undefined where the vault has to be asked. */
  cached(owner: string): Buffer | undefined {
    return this.cache.get(owner);
  }

  async destroy(owner: string): Promise<void> {
    this.drop(owner);
    await this.vault.destroy(name(owner));
    this.drop(owner);
  }

  /** As `destroy`, of many; asks first which of them still have one. */
  async destroyAll(owners: readonly string[]): Promise<void> {
    for (let at = 0; at < owners.length; at += KEYS_PER_READ_MAX) {
      const asked = owners.slice(at, at + KEYS_PER_READ_MAX);
      const held = await this.vault.getMany(asked.map(name));
      for (const owner of asked) {
        if (held.get(name(owner)) === 'destroyed') this.drop(owner);
        else await this.destroy(owner);
      }
    }
  }

  /** Forgets a key, and everything in memory that was opened: it was destroyed, here or by another process. */
  drop(owner: string): void {
    this.cache.delete(owner);
    this.drops += 1;
  }

  /** What was asked for before a key was dropped may be that key: it is not kept. */
  private remember(owner: string, value: VaultEntry | undefined, drops: number): Buffer | null {
    if (value === undefined || value === 'destroyed') return null;
    const key = Buffer.from(value);
    if (drops === this.drops) this.cache.set(owner, key);
    return key;
  }
}

const name = (owner: string) => `seal/${owner}`;
