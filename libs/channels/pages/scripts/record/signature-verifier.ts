import { decodeBase64url } from '#libs/platform/signing/base64url.js';
import { verifyNoble } from '#libs/platform/signing/noble-ed25519.js';

const utf8 = new TextEncoder();
const ED25519 = 'Ed25519';

/** WebCrypto is missing on plain http, except on localhost. */
const subtle = (globalThis.crypto as { readonly subtle?: SubtleCrypto }).subtle;

export interface Verdict {
  readonly isGood: boolean;
  /** Implementation that verified it. */
  readonly by: string;
}

/** Uses WebCrypto if the browser supports ed25519, else noble. */
export async function verifyText(publicKey: string, text: string, signature: string): Promise<Verdict> {
  const bytes = [decodeBase64url(publicKey, 32), decodeBase64url(signature, 64)] as const;
  const browserVerdict = await verifyInBrowser(bytes[0], utf8.encode(text), bytes[1]);
  return browserVerdict === null
    ? { isGood: verifyNoble(publicKey, text, signature), by: '@noble/ed25519' }
    : { isGood: browserVerdict, by: 'WebCrypto' };
}

/** Returns null if the browser does not support it. */
async function verifyInBrowser(key: Uint8Array | null, message: Uint8Array, signed: Uint8Array | null) {
  if (!subtle || !key || !signed) return null;
  try {
    const imported = await subtle.importKey('raw', key.slice(), ED25519, false, ['verify']);
    return await subtle.verify(ED25519, imported, signed.slice(), message.slice());
  } catch {
    return null;
  }
}
