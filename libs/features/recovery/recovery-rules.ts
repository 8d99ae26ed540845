import { ANY_TEXT } from '#libs/endpoints/decision.js';
import type { PresentMuse } from '#libs/domain/muse.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import { importPublicKey } from '#libs/platform/signing/ed25519.js';

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
