import type { StreamRevisions, Position } from '#libs/kernel/event.js';

/** An identity that requests act as, with its key and tokens. */
export interface Principal {
  readonly id: string;
  /** Whether the log holds its registration. */
  readonly isKnown: boolean;
  /** Null if it only has tokens. */
  readonly publicKey: string | null;
  /** Unix ms at which a token expires, by the token's sha256. */
  readonly tokens: Iterable<readonly [hash: string, expiresAt: number]>;
  /** Tokens that were exchanged for others, by sha256, and when, unix ms. */
  readonly rotations: readonly { readonly hash: string; readonly at: number }[];
  /** Revision of its stream; empty for a stream without events. */
  readonly basedOn: StreamRevisions;
  /** The moment of the log that it was read at. */
  readonly asOf: Position;
}

export abstract class Principals {
  /** Reads the log at each call: every process refuses a revoked token or a replaced key at once. Errors: `forgotten`. */
  abstract get(id: string): Promise<Principal>;
  /** Finds the owner of a token by the token's sha256. The documents that it reads may lag behind the log. */
  abstract ownerOf(tokenHash: string): Promise<string | undefined>;
}
