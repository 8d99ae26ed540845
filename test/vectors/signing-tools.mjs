// Makes the vectors without code of the service: a separate layout, noble signatures and forged signatures.
import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import * as ed from '@noble/ed25519';

const HEAD = ['signature', 'timestamp', 'nonce', 'muse_id', 'x402_payment'];
const { n: L } = ed.Point.CURVE();
ed.hashes.sha512 = message => new Uint8Array(createHash('sha512').update(message).digest());

const b64 = bytes => Buffer.from(bytes).toString('base64url');
export const keyOf = seed => b64(ed.getPublicKey(seed));
const seedOf = name => new Uint8Array(createHash('sha256').update(`test vector: ${name}`).digest());
const littleEndian = number => new Uint8Array(Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse());
const scalar = bytes => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
const challenge = (r, key, message) => scalar(ed.hash(ed.etc.concatBytes(r, key, Buffer.from(message)))) % L;

/** Seed of a known muse and of a new key. */
export const MUSE = seedOf('muse');
export const NEW = seedOf('new key');
export const NEW_KEY = keyOf(NEW);
/** A point of order 8. */
const TORSION = ed.Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05');

export function layout(tag, endpoint, body) {
  const signer = endpoint === 'register' || endpoint === 'identity' ? body.public_key : body.muse_id;
  const names = Object.keys(body).filter(name => !HEAD.includes(name));
  names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  const lines = names.map(name => `${name}:${Buffer.byteLength(body[name] ?? '')}:${body[name] ?? ''}`);
  return [tag, endpoint, body.timestamp, body.nonce, signer, ...lines].join('\n');
}

export const sign = (message, seed) => b64(ed.sign(Buffer.from(message), seed));
const signed = message => ed.sign(Buffer.from(message), MUSE);

/** Only strict checks reject it: S and S + L solve the same equation. */
export function malleable(message) {
  const signature = signed(message);
  return b64(ed.etc.concatBytes(signature.subarray(0, 32), littleEndian(scalar(signature.subarray(32)) + L)));
}

/** Signature valid for every message: with the identity as key, R = [S]B always holds. */
export function forAnyMessage() {
  const s = scalar(seedOf('small order')) % L;
  return b64(ed.etc.concatBytes(ed.Point.BASE.multiply(s).toBytes(), littleEndian(s)));
}

/** Key with a part of order 8, whose signature is valid only in a cofactored check. */
const MIXED_SECRET = scalar(seedOf('mixed order')) % L;
const MIXED_BYTES = ed.Point.BASE.multiply(MIXED_SECRET).add(TORSION).toBytes();
export const MIXED_KEY = b64(MIXED_BYTES);
export function withCofactorOnly(message) {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const secret = scalar(seedOf(`mixed order, attempt ${attempt}`)) % L;
    const r = ed.Point.BASE.multiply(secret).toBytes();
    const k = challenge(r, MIXED_BYTES, message);
    if (k % 8n !== 0n) return b64(ed.etc.concatBytes(r, littleEndian((secret + k * MIXED_SECRET) % L)));
  }
  throw new Error('No attempt was of use.');
}

/** Encodes the same bytes with other unused bits: the last of 86 characters carries only 2. */
export function otherTrailingBits(message) {
  const text = b64(signed(message));
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return text.slice(0, -1) + letters[letters.indexOf(text.at(-1)) + 1];
}

export function flipped(at) {
  return message => {
    const signature = signed(message);
    signature[at] ^= 1;
    return b64(signature);
  };
}

/** Keys of small order: the identity, its unreduced form (y = p + 1), and a point of order 8. */
export const SMALL_ORDER_KEYS = {
  'the identity': b64(littleEndian(1n)),
  'the identity, unreduced': b64(littleEndian(ed.Point.CURVE().p + 1n)),
  'order 8': b64(TORSION.toBytes()),
};
