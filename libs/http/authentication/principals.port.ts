import type { StreamRevisions, Position } from '#libs/kernel/event.js';

export interface Principal {
  readonly id: string;
  readonly isKnown: boolean;
  readonly publicKey: string | null;
  /** Unix ms at which a token expires, by the token's sha256. */
  readonly tokens: Iterable<readonly [hash: string, expiresAt: number]>;
  /** Exchanged tokens: their sha256, and the time of the exchange (unix ms). */
  readonly rotations: readonly { readonly hash: string; readonly at: number }[];
  /** Recovery keys that are usable at a time, unix ms. Throws a `Refusal` without one. */
  readonly recoveryKeysAt: (at: number) => readonly string[];
  readonly basedOn: StreamRevisions;
  /** Position of the log at which the principal was read. */
  readonly asOf: Position;
}

export abstract class Principals {
  /**
   * Reads the log at each call: every process refuses a revoked token or a replaced key at once. Errors: `forgotten`.
   */
  abstract get(id: string): Promise<Principal>;
  /** Finds the owner of a token by its sha256. The documents may lag behind the log. */
  abstract ownerOf(tokenHash: string): Promise<string | undefined>;
  /** Finds the owner of a token that may have been issued a moment ago. Throws `Unavailable` if the documents lag. */
  abstract currentOwnerOf(tokenHash: string): Promise<string | undefined>;
}
