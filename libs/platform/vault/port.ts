export type VaultEntry = Uint8Array | 'destroyed';
/** How many keys are asked for in one question. */
export const KEYS_PER_READ_MAX = 1_000;

/**
 * Keys that nothing can rebuild: of muses, of the issuer, of the house, secrets for HMACs. Durable before it answers.
 * Every adapter passes `test/contract/vault.spec.ts`. Outages are `Unavailable`.
 */
export abstract class Vault {
  /** The value, `destroyed` where a tombstone stands, undefined where there never was one. */
  abstract get(name: string): Promise<VaultEntry | undefined>;
  /** What `get` answers for each name, without those that there never was a value of. At most `KEYS_AT_ONCE` names. */
  abstract getMany(names: readonly string[]): Promise<ReadonlyMap<string, VaultEntry>>;
  /** Puts a value where there is none, and answers what stands there now: this one, another's, or the tombstone. */
  abstract putIfAbsent(name: string, value: Uint8Array): Promise<VaultEntry>;
  /** Puts a value in place of an earlier one; for what is not a key, because keys never change. A tombstone stays. */
  abstract replace(name: string, value: Uint8Array): Promise<void>;
  /** Erases the value and leaves a tombstone, for ever. Also where there never was a value. Idempotent. */
  abstract destroy(name: string): Promise<void>;
  /** The names that begin with `prefix` and hold a value, sorted, at most `limit`, behind `after`. */
  abstract list(prefix: string, limit: number, after?: string): Promise<string[]>;
  abstract close(): Promise<void>;
}
