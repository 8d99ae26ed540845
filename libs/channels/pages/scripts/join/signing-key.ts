import { type MuseKey, SigningKey, WebCryptoKey } from '#libs/client/keys.js';
import { encodeBase64url } from '#libs/platform/signing/base64url.js';
import { messageTag } from '../dom.js';
import type { StoredKey } from './stored-key.js';

/** WebCrypto is missing on plain http, except on localhost. */
export async function generateKey(): Promise<StoredKey> {
  const subtle = (globalThis.crypto as { readonly subtle?: SubtleCrypto }).subtle;
  const pair = await subtle?.generateKey('Ed25519', true, ['sign', 'verify']).catch(() => undefined);
  return { source: pair ?? SigningKey.newSeed(), museId: null };
}

export const signerFor = ({ source, museId }: StoredKey): Promise<MuseKey> =>
  source instanceof Uint8Array
    ? Promise.resolve(new SigningKey(source, messageTag(), museId))
    : WebCryptoKey.of(source, messageTag(), museId);

/** Base64url, as all clients accept it. */
export async function seedOf({ source }: StoredKey): Promise<string> {
  if (source instanceof Uint8Array) return encodeBase64url(source);
  const { d } = await crypto.subtle.exportKey('jwk', source.privateKey);
  return d!;
}
