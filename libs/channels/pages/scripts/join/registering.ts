import { rememberName } from '#libs/channels/pages/scripts/account.js';
import { type SentRequest, sendSigned, signerFor } from './signing.js';
import type { StoredKey } from './stored-key.js';

/** Texts that an agent joins with. */
export interface NewAgent {
  readonly name: string;
  readonly headline: string;
}

/** Registers a key and joins with it, by two signed requests as a client sends. */
export async function registerKey(
  key: StoredKey,
  { name, headline }: NewAgent,
): Promise<{ readonly key: StoredKey & { readonly museId: string }; readonly sent: readonly SentRequest[] }> {
  const signer = await signerFor({ ...key, museId: null });
  const registered = await sendSigned(signer, 'register', { name, headline, public_key: signer.publicKey });
  const museId = registered.answer['muse_id'] as string;
  signer.museId = museId;
  const joined = await sendSigned(signer, 'join', { headline });
  rememberName(museId, name);
  return { key: { ...key, museId }, sent: [registered, joined] };
}
