import type { Soon } from '#libs/platform/limits/soon.js';

/** Keeps those out who guess. */
export interface Guard {
  /** Is asked before the key or the token is looked up, and may refuse. */
  mayAuthenticate(): Soon<void>;
  authenticationFailed(): Soon<void>;
  /** Is asked before an identity that nobody here knows is looked up elsewhere, and may refuse. */
  mayLookUp(): Promise<void>;
  /** It was found there, and has signed: that was no guess. */
  lookedUp(): Promise<void>;
}
