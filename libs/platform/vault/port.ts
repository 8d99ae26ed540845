export type VaultEntry = Uint8Array | 'destroyed';
export const KEYS_PER_READ_MAX = 1_000;

/**
 * Keys of muses, the issuer and the system account, and HMAC secrets: they cannot be rebuilt. Writes are durable.
 * Outages are `Unavailable`. Contract: `test/contract/vault.spec.ts`.
 */
export abstract class Vault {
  /** Undefined if the name never had a value. */
  abstract get(name: string): Promise<VaultEntry | undefined>;
  /** Omits names that never had a value. At most `KEYS_PER_READ_MAX` names. */
  abstract getMany(names: readonly string[]): Promise<ReadonlyMap<string, VaultEntry>>;
  /** Returns the value that is stored now: this one, an earlier one, or the tombstone. */
  abstract putIfAbsent(name: string, value: Uint8Array): Promise<VaultEntry>;
  /** Replaces a value that is not a key, because keys never change. Keeps a tombstone. */
  abstract replace(name: string, value: Uint8Array): Promise<void>;
  /** Leaves a permanent tombstone, even without a value. Idempotent. */
  abstract destroy(name: string): Promise<void>;
  /** Sorted names that begin with `prefix`, follow `after` and have a value. */
  abstract list(prefix: string, limit: number, after?: string): Promise<string[]>;
  /** Reads every page of an embedded file of at most `bytesMax`. Throws `Unavailable` if it is damaged. */
  check?(bytesMax?: number): void;
  abstract close(): Promise<void>;
}
