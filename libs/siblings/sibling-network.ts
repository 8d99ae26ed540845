import type { SiblingIdentity } from './sibling-identity.js';

/** The network gave no usable answer. */
export class SiblingUnreachable extends Error {}

/** Home of the identities that begin with `muse_`. */
export abstract class SiblingNetwork {
  /** Null if it has no such identity. Throws `SiblingUnreachable`. */
  abstract lookUp(museId: string): Promise<SiblingIdentity | null>;
}
