import type { MaybeAsync } from '#libs/platform/limits/maybe-async.js';

/** Keeps those out who guess. */
export interface AuthenticationGuard {
  /** Is asked before the key or the token is looked up, and may refuse. */
  mayAuthenticate(): MaybeAsync<void>;
  authenticationFailed(): MaybeAsync<void>;
  /** Is asked before an identity that nobody here knows is looked up elsewhere, and may refuse. */
  mayLookUp(): Promise<void>;
  /** It was found there, and has signed: that was no guess. */
  lookedUp(): Promise<void>;
}
