import type { MaybeAsync } from '#libs/platform/limits/maybe-async.js';

/** Limits attempts to guess keys, tokens and identities. Each method may throw a 429. */
export interface AuthenticationGuard {
  mayAuthenticate(): MaybeAsync<void>;
  authenticationFailed(): MaybeAsync<void>;
  mayLookUp(): Promise<void>;
  /** Call it if the identity exists and its signature is valid. */
  refundLookUp(): Promise<void>;
}
