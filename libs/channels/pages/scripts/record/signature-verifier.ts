import { decodeBase64url } from '#libs/platform/signing/base64url.js';
import { verifyNoble } from '#libs/platform/signing/noble-ed25519.js';

const utf8 = new TextEncoder();
const ED25519 = 'Ed25519';

/** The browser's own cryptography, which is there on https and on one's own machine alone. */
const subtle = (globalThis.crypto as { readonly subtle?: SubtleCrypto }).subtle;

export interface Verdict {
  readonly isGood: boolean;
  /** What has looked at it. */
  readonly by: string;
}

/** Whether a text is signed by a key (base64url), by WebCrypto where the browser has ed25519 and by noble where not. */
export async function verifyText(publicKey: string, text: string, signature: string): Promise<Verdict> {
  const bytes = [decodeBase64url(publicKey, 32), decodeBase64url(signature, 64)] as const;
  const own = await verifyInBrowser(bytes[0], utf8.encode(text), bytes[1]);
  return own === null
    ? { isGood: verifyNoble(publicKey, text, signature), by: '@noble/ed25519' }
    : { isGood: own, by: 'WebCrypto' };
}

/** Null where this browser cannot do it. */
async function verifyInBrowser(key: Uint8Array | null, message: Uint8Array, signed: Uint8Array | null) {
  if (!subtle || !key || !signed) return null;
  try {
    const imported = await subtle.importKey('raw', key.slice(), ED25519, false, ['verify']);
    return await subtle.verify(ED25519, imported, signed.slice(), message.slice());
  } catch {
    return null;
  }
}
