import { createHash } from 'node:crypto';
import { Point } from '@noble/ed25519';

/**
 * Signatures as nobody's program makes them, by the arithmetic of points alone: what stands in a key, in R and in S is
 * chosen freely (after "Taming the many EdDSAs", Chalkias, Garillot, Nikolaenko 2020).
 */
export const { n: L, p: P } = Point.CURVE();
const HIGHEST_BIT = 2n ** 255n;
const ATTEMPTS_MAX = 2_000;

export interface Forged {
  /** 32 bytes. */
  readonly key: Uint8Array;
  readonly message: string;
  /** 64 bytes: R, and S as a little-endian number. */
  readonly signature: Uint8Array;
}

export function littleEndian(number: bigint): Uint8Array {
  return Uint8Array.from(Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse());
}

/** A number below the group's order that is the same in every run. */
export function scalarOf(name: string): bigint {
  return BigInt(`0x${createHash('sha512').update(name).digest('hex')}`) % L;
}

/** How often the key counts: the hash of R, the key and the message as they were sent (RFC 8032, 5.1.7). */
export function challenge(r: Uint8Array, key: Uint8Array, message: string | Uint8Array, prefix = ''): bigint {
  const digest = createHash('sha512').update(prefix).update(r).update(key).update(message).digest();
  return BigInt(`0x${digest.reverse().toString('hex')}`) % L;
}

export const joined = (r: Uint8Array, s: bigint): Uint8Array => Uint8Array.from([...r, ...littleEndian(s)]);
export const ofBase = (scalar: bigint): Point => Point.BASE.multiply(scalar, false);

/** The neutral point and its two encodings that are none by RFC 8032, each 32 bytes. */
export const NEUTRAL = littleEndian(1n);
export const NEUTRAL_UNREDUCED = littleEndian(P + 1n);
export const NEUTRAL_WITH_SIGN = littleEndian(1n + HIGHEST_BIT);

/** The multiples of a point of order 8, from none to seven times. */
export const TORSION: readonly Point[] = multiplesOf(
  Point.fromHex('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'),
);

function multiplesOf(point: Point): Point[] {
  const all = [Point.ZERO];
  while (all.length < 8) all.push(all.at(-1)!.add(point));
  return all;
}

/** Every text of a small-order point that some decoder takes: eight as they should be, six that are not. */
export const SMALL_ORDER_KEYS: readonly Uint8Array[] = [
  ...TORSION.map(point => point.toBytes()),
  ...[1n + HIGHEST_BIT, P - 1n + HIGHEST_BIT, P, P + HIGHEST_BIT, P + 1n, P + 1n + HIGHEST_BIT].map(littleEndian),
];

export interface Recipe {
  /** The secret part of the key; 0 for a key of small order. */
  readonly a: bigint;
  /** The key's part of small order, as a multiple of the point of order 8. */
  readonly keyTorsion?: number;
  /** The key's bytes where they are not the point's own. */
  readonly key?: Uint8Array;
  /** The secret part of R: 0 for an R of small order. By default another one in each attempt. */
  readonly r?: bigint;
  /** R's part of small order; by default each of the eight is tried. */
  readonly rTorsion?: number;
  /** R's bytes where they are not the point's own. */
  readonly rBytes?: Uint8Array;
  /** Whether S·B = R + k·A is to hold; else it holds only once both sides are multiplied by 8. */
  readonly withoutCofactor: boolean;
}

/** Tries messages, and R, until the signature is one as asked for. S fits the parts that are not of small order. */
export function forge(recipe: Recipe): Forged {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const { signature, key, message, rest } = attempted(recipe, attempt);
    if ((rest === 0) === recipe.withoutCofactor) return { signature, key, message };
  }
  throw new Error('No attempt was of use.');
}

/** `rest`: what is left of S·B - R - k·A, as a multiple of the point of order 8. */
function attempted(recipe: Recipe, attempt: number): Forged & { readonly rest: number } {
  const { a, keyTorsion = 0, r = scalarOf(`r ${attempt}`), rTorsion = attempt % 8 } = recipe;
  const key = recipe.key ?? ofBase(a).add(TORSION[keyTorsion]!).toBytes();
  const rBytes = recipe.rBytes ?? ofBase(r).add(TORSION[rTorsion]!).toBytes();
  const message = `attempt ${attempt}`;
  const k = challenge(rBytes, key, message);
  const rest = (rTorsion + Number(k % 8n) * keyTorsion) % 8;
  return { key, message, signature: joined(rBytes, (r + k * a) % L), rest };
}
