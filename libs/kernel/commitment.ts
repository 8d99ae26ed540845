import { createHash } from 'node:crypto';

/** Once the salt is erased, a guess of the text cannot be verified. */
export interface SaltedCommitment {
  readonly commitment: string;
  readonly salt: string;
}

/** sha256 of the salt's bytes followed by the text's UTF-8 bytes, lower-case hex. */
export function computeCommitment(salt: string, text: string | Uint8Array): string {
  return createHash('sha256').update(Buffer.from(salt, 'hex')).update(text).digest('hex');
}
