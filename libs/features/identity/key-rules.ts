import { ANY_TEXT } from '#libs/endpoints/decision.js';
import type { PresentMuse } from '#libs/domain/muse.js';
import { fieldRule, rule } from '#libs/kernel/refusal.js';
import { importPublicKey, verifyStrict } from '#libs/platform/signing/ed25519.js';

export function assertStrongKey(public_key: string): void {
  fieldRule(
    public_key === ANY_TEXT || importPublicKey(public_key) !== null,
    'public_key',
    '`public_key` must be an ed25519 key, and not a weak one.',
    'malformed',
  );
}

/** Whether it is the present key or a former one. */
export const isKeyOf = ({ public_key, formerKeys }: PresentMuse, key: string): boolean =>
  key === public_key || formerKeys.has(key);

interface SignedText {
  readonly public_key: string;
  readonly signer: 'new' | 'recovery' | 'earlier';
  readonly text: string;
  /** The text in words, line by line. */
  readonly lines: string;
}

/** Throws `proof_mismatch` unless the signer has signed the text. */
export function assertProof(proof: string, { public_key, signer, text, lines }: SignedText): void {
  const isSigned = proof === ANY_TEXT || verifyStrict(public_key, text, proof);
  const hint = `Sign exactly ${lines}, with the ${signer} key.`;
  const sentence = `\`proof\` is not a valid signature of the ${signer} key.`;
  rule(isSigned, 'proof_mismatch', sentence, { field: 'proof', hint });
}
