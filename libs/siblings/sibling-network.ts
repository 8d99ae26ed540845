import type { SiblingIdentity } from './sibling-identity.js';

/** The network did not answer, or with nothing that could be believed. */
export class SiblingUnreachable extends Error {}

/** Where identities that begin with `muse_` are at home. */
export abstract class SiblingNetwork {
  /** What it says of one of them, null where it has none such. Throws `SiblingSilent`. */
  abstract lookUp(museId: string): Promise<SiblingIdentity | null>;
}
