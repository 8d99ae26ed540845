import { createHash } from 'node:crypto';

/** A text that nobody can test a guess of once its salt is erased. */
export interface SaltedCommitment {
  readonly commitment: string;
  /** 32 bytes, lower-case hex. */
  readonly salt: string;
}

/** sha256 of the salt's bytes followed by the text's UTF-8 bytes, lower-case hex. */
export function computeCommitment(salt: string, text: string | Uint8Array): string {
  return createHash('sha256').update(Buffer.from(salt, 'hex')).update(text).digest('hex');
}
