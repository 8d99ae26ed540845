import { type KeyPair, SEED_BYTES } from '#libs/client/keys.js';
import { decodeBase64url } from '#libs/platform/signing/base64url.js';
import { OWN, store, type StoredKey } from './stored-key.js';

export async function exportSeed({ privateKey }: KeyPair): Promise<Uint8Array> {
  const { d } = await crypto.subtle.exportKey('jwk', privateKey);
  return decodeBase64url(d!, SEED_BYTES)!;
}

/** Returns whether the key is stored: some browsers store no WebCrypto key but its seed, and others nothing at all. */
export async function saveKey(key: StoredKey): Promise<boolean> {
  try {
    await store(OWN, key);
    return true;
  } catch {
    return key.source instanceof Uint8Array ? false : saveKey({ ...key, source: await exportSeed(key.source) });
  }
}
