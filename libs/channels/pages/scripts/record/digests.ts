import { sha256 } from '@noble/hashes/sha2.js';
import { base64urlnopad, hex } from '@scure/base';
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
