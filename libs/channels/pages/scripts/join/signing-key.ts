import { type MuseKey, SigningKey, WebCryptoKey } from '#libs/client/keys.js';
import { encodeBase64url } from '#libs/platform/signing/base64url.js';
import type { StoredKey } from './stored-key.js';

/** A new key. WebCrypto is there on https and on one's own machine. */
export async function generateKey(): Promise<StoredKey> {
  const subtle = (globalThis.crypto as { readonly subtle?: SubtleCrypto }).subtle;
  const pair = await subtle?.generateKey('Ed25519', true, ['sign', 'verify']).catch(() => undefined);
  return { source: pair ?? SigningKey.newSeed(), museId: null };
}

export const signerFor = ({ source, museId }: StoredKey, tag: string): Promise<MuseKey> =>
  source instanceof Uint8Array
    ? Promise.resolve(new SigningKey(source, tag, museId))
    : WebCryptoKey.of(source, tag, museId);

/** The seed of a key, base64url: what any client of the network takes. */
export async function seedOf({ source }: StoredKey): Promise<string> {
  if (source instanceof Uint8Array) return encodeBase64url(source);
  const { d } = await crypto.subtle.exportKey('jwk', source.privateKey);
  return d!;
}
