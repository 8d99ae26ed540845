import type { AuthenticationGuard } from './authentication-guard.js';
import type { Principal } from './principals.port.js';

/** An identity of a sibling network, by what that says. */
export interface SiblingRecord {
  readonly publicKey: string;
  /** Writes it down, once it has signed; nothing where it is known here. */
  admit(): Promise<void>;
}

/** The part of a principal that its own network may replace. */
export type PrincipalKey = Pick<Principal, 'id' | 'isKnown' | 'publicKey'>;

/** Identities that are at home elsewhere. */
export interface SiblingIdentities {
  /**
   * Asks their network at most every ten minutes, and writes down what it says of one that is known here: whoever has
   * its state reads on from there. Null where the network has no such identity. Errors: `sibling_unreachable`, and what
   * the guard refuses.
   */
  find(known: PrincipalKey, guard?: Pick<AuthenticationGuard, 'mayLookUp'>): Promise<SiblingRecord | null>;
}
