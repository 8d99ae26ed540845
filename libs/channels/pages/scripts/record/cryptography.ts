import { sha256 } from '@noble/hashes/sha2.js';
import { base64urlnopad, hex } from '@scure/base';
import { decodeBase64url } from '#libs/platform/signing/base64url.js';
import { canonicalJson } from '#libs/platform/signing/canonical-json.js';
import { createMerkleTree } from '#libs/platform/signing/merkle-edge.js';

const utf8 = new TextEncoder();
const bytesOf = (data: string | Uint8Array) => (typeof data === 'string' ? utf8.encode(data) : data);

/** Texts are hashed as UTF-8. Returns lower-case hex. */
export const sha256Hex = (...parts: (string | Uint8Array)[]): string => {
  const hash = sha256.create();
  for (const part of parts) hash.update(bytesOf(part));
  return hex.encode(hash.digest());
};

/** sha256 of the salt followed by the text in UTF-8, as in libs/kernel/commitment.ts. */
export const commitmentOf = (salt: string, text: string): string => sha256Hex(hex.decode(salt), text);

/** Thumbprint of an ed25519 key as a JWK (RFC 7638, RFC 8037), base64url. */
export const thumbprintOf = (publicKey: string): string =>
  base64urlnopad.encode(sha256(utf8.encode(canonicalJson({ crv: 'Ed25519', kty: 'OKP', x: publicKey }))));

/** Merkle tree of the log (RFC 9162, 2.1.1). */
export const { append, rootOf } = createMerkleTree(sha256Hex, text => hex.decode(text));

const ED25519 = 'Ed25519';

/** WebCrypto is missing on plain http, except on localhost. */
const subtle = (globalThis.crypto as { readonly subtle?: SubtleCrypto }).subtle;

interface Verdict {
  readonly isGood: boolean;
  /** Implementation that verified it. */
  readonly by: string;
}

/** Uses WebCrypto if the browser supports ed25519, else noble. */
export async function verifyText(publicKey: string, text: string, signature: string): Promise<Verdict> {
  const bytes = [decodeBase64url(publicKey, 32), decodeBase64url(signature, 64)] as const;
  const browserVerdict = await verifyInBrowser(bytes[0], utf8.encode(text), bytes[1]);
  if (browserVerdict !== null) return { isGood: browserVerdict, by: 'WebCrypto' };
  const { verifyNoble } = await import('#libs/platform/signing/noble-ed25519.js');
  return { isGood: verifyNoble(publicKey, text, signature), by: '@noble/ed25519' };
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
