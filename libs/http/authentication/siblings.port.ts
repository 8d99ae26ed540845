import type { AuthenticationGuard } from './authentication.js';
import type { Principal } from './principals.port.js';

export interface SiblingRecord {
  readonly publicKey: string;
  /** Registers the identity here after its first valid signature. Does nothing if it is already registered. */
  admit(): Promise<void>;
}

export type PrincipalKey = Pick<Principal, 'id' | 'isKnown' | 'publicKey'>;

export interface SiblingIdentities {
  /**
   * Asks the home network at most every ten minutes, and records a changed key of a registered identity: read its state
   * again afterwards. Null if the network does not know the identity. Errors: `sibling_unreachable`, and the refusals of the
   * guard.
   */
  find(principal: PrincipalKey, guard?: Pick<AuthenticationGuard, 'mayLookUp'>): Promise<SiblingRecord | null>;
}
