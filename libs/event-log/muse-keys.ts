import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Vault } from '#libs/vault/port.js';

const KEY_BYTES = 32;
/** How many keys one process keeps in memory. */
const KEYS_MAX = 50_000;

/** Seals what no `forget` erases. */
export const HELD_KEY = 'service';

/** The keys that values are sealed with: one a muse, and one for held values. They live in the vault. */
export class MuseKeys {
  private readonly cache = new LRUCache<string, Buffer>({ max: KEYS_MAX });

  /** How often a key was dropped from memory: who keeps opened values in memory drops them then. */
  private drops = 0;

  constructor(private readonly vault: Vault) {}

  get generation(): number {
    return this.drops;
  }

  /** The key of a muse, made where there is none; null once it was destroyed. */
  async forSealing(owner: string): Promise<Buffer | null> {
    const cached = this.cache.get(owner);
    if (cached) return cached;
    const value =
      (await this.vault.get(name(owner))) ?? (await this.vault.putIfAbsent(name(owner), randomBytes(KEY_BYTES)));
    return value === 'destroyed' ? null : this.remember(owner, value);
  }

  /** The key of a muse; null where it was destroyed or never was. */
  async forOpening(owner: string): Promise<Buffer | null> {
    const cached = this.cache.get(owner);
    if (cached) return cached;
    const value = await this.vault.get(name(owner));
    return value === undefined || value === 'destroyed' ? null : this.remember(owner, value);
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

  /** Forgets a key, and everything in memory that was opened: it was destroyed, here or by another process. */
  drop(owner: string): void {
    this.cache.delete(owner);
    this.drops += 1;
  }

  private remember(owner: string, value: Uint8Array): Buffer {
    const key = Buffer.from(value);
    this.cache.set(owner, key);
    return key;
  }
}

const name = (owner: string) => `seal/${owner}`;
