import { createHash } from 'node:crypto';
import { Point } from '@noble/ed25519';

/** Forges signatures with chosen keys, R and S ("Taming the many EdDSAs", Chalkias et al. 2020). */
export const { n: L, p: P } = Point.CURVE();
const HIGHEST_BIT = 2n ** 255n;
const ATTEMPTS_MAX = 2_000;

export interface Forged {
  readonly key: Uint8Array;
  readonly message: string;
  /** R (32 bytes), then S as a little-endian number. */
  readonly signature: Uint8Array;
}

export function littleEndian(number: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse());
}

export function scalarOf(name: string): bigint {
  return BigInt(`0x${createHash('sha512').update(name).digest('hex')}`) % L;
}

/** Returns the challenge k of RFC 8032, section 5.1.7: the hash of R, key and message. */
export function challenge(r: Uint8Array, key: Uint8Array, message: string | Uint8Array, prefix = ''): bigint {
  const digest = createHash('sha512').update(prefix).update(r).update(key).update(message).digest();
  return BigInt(`0x${digest.reverse().toString('hex')}`) % L;
}

export const joined = (r: Uint8Array, s: bigint): Uint8Array => Uint8Array.from([...r, ...littleEndian(s)]);
export const ofBase = (scalar: bigint): Point => Point.BASE.multiply(scalar, false);

/** The neutral point and its two non-canonical encodings. */
export const NEUTRAL = littleEndian(1n);
export const NEUTRAL_UNREDUCED = littleEndian(P + 1n);
export const NEUTRAL_WITH_SIGN = littleEndian(1n + HIGHEST_BIT);

export const TORSION: readonly Point[] = multiplesOf(
  Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'),
);

function multiplesOf(point: Point): Point[] {
  const all = [Point.ZERO];
  while (all.length < 8) all.push(all.at(-1)!.add(point));
  return all;
}

/** The eight canonical and six non-canonical encodings of small-order points. */
export const SMALL_ORDER_KEYS: readonly Uint8Array[] = [
  ...TORSION.map(point => point.toBytes()),
  ...[1n + HIGHEST_BIT, P - 1n + HIGHEST_BIT, P, P + HIGHEST_BIT, P + 1n, P + 1n + HIGHEST_BIT].map(littleEndian),
];

export interface Recipe {
  /** Secret scalar of the key; 0 for a small-order key. */
  readonly a: bigint;
  readonly keyTorsion?: number;
  readonly key?: Uint8Array;
  /** Secret scalar of R; 0 for a small-order R, random by default. */
  readonly r?: bigint;
  /** Small-order part of R; tries all eight by default. */
  readonly rTorsion?: number;
  readonly rBytes?: Uint8Array;
  /** Whether S·B = R + k·A must hold without the cofactor 8. */
  readonly withoutCofactor: boolean;
}

/** Tries messages and R until the signature fits the recipe. */
export function forge(recipe: Recipe): Forged {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const { signature, key, message, rest } = attempted(recipe, attempt);
    if ((rest === 0) === recipe.withoutCofactor) return { signature, key, message };
  }
  throw new Error('No attempt was of use.');
}

/** `rest`: S·B - R - k·A as a multiple of the point of order 8. */
function attempted(recipe: Recipe, attempt: number): Forged & { readonly rest: number } {
  const { a, keyTorsion = 0, r = scalarOf(`r ${attempt}`), rTorsion = attempt % 8 } = recipe;
  const key = recipe.key ?? ofBase(a).add(TORSION[keyTorsion]!).toBytes();
  const rBytes = recipe.rBytes ?? ofBase(r).add(TORSION[rTorsion]!).toBytes();
  const message = `attempt ${attempt}`;
  const k = challenge(rBytes, key, message);
  const rest = (rTorsion + Number(k % 8n) * keyTorsion) % 8;
  return { key, message, signature: joined(rBytes, (r + k * a) % L), rest };
}
