import { createHash } from 'node:crypto';
import * as make from './forgery.js';
import { challenge, forge, type Forged, joined, L, littleEndian, ofBase, P, scalarOf } from './forgery.js';

const A = scalarOf('secret');
const KEY = ofBase(A).toBytes();
const R = scalarOf('nonce');
const R_BYTES = ofBase(R).toBytes();
const MESSAGE = 'agent_0123456789';
const OFF_CURVE = littleEndian(2n);

interface Parts {
  readonly key?: Uint8Array;
  readonly r?: Uint8Array;
  readonly s?: (right: bigint) => bigint;
  readonly prefix?: string;
  readonly hashed?: string | Uint8Array;
}

/** Signs with an ordinary key, but with a changed S or over other bytes than the message. */
function ordinary({ key = KEY, r = R_BYTES, s = right => right, prefix, hashed = MESSAGE }: Parts = {}): Forged {
  const right = (R + challenge(r, key, hashed, prefix) * A) % L;
  return { key, message: MESSAGE, signature: joined(r, s(right)) };
}

/** Domain prefix of Ed25519ctx and Ed25519ph (RFC 8032, section 5.1). */
const dom2 = (isHashed: 0 | 1, context: string) =>
  `SigEd25519 no Ed25519 collisions${String.fromCharCode(isHashed, context.length)}${context}`;

/** Signs with a neutral R: S = k·a reveals the secret. */
const neutralR = (rBytes?: Uint8Array) =>
  forge({ a: A, r: 0n, rTorsion: 0, withoutCofactor: true, ...(rBytes && { rBytes }) });

/** Signs any message with a small-order key: S = r fits if the small-order part is zero. */
const bySmallOrder = (key: Uint8Array, keyTorsion: number) => forge({ a: 0n, key, keyTorsion, withoutCofactor: true });

type KeyParts = Omit<Parameters<typeof forge>[0], 'a' | 'keyTorsion'>;
const ofOrder8 = (parts: KeyParts) => forge({ a: 0n, keyTorsion: 1, ...parts });
const ofMixedOrder = (parts: KeyParts) => forge({ a: A, keyTorsion: 1, ...parts });

const sha512 = (text: string) => createHash('sha512').update(text).digest();

const YES = true;
const NO = false;

/** Accepted by node:crypto before OpenSSL 3.5 added its own check of small orders. */
const ONCE = 'once';

/** Verdicts of node:crypto, strict noble, ZIP 215 noble (its default) and the service. */
export type Row = readonly [
  name: string,
  node: boolean | 'once',
  strict: boolean,
  zip215: boolean,
  service: boolean,
  () => Forged,
];

export const ROWS: readonly Row[] = [
  ['a regular signature', YES, YES, YES, YES, () => ordinary()],
  ['S + L', NO, NO, NO, NO, () => ordinary({ s: right => right + L })],
  ['S + 14 L, which fills 256 bits', NO, NO, NO, NO, () => ordinary({ s: right => right + 14n * L })],
  ['S = L - S', NO, NO, NO, NO, () => ordinary({ s: right => L - right })],
  ['S with its highest bit set', NO, NO, NO, NO, () => ordinary({ s: right => right + 2n ** 255n })],
  ['only zeros', NO, NO, NO, NO, () => ({ key: KEY, message: MESSAGE, signature: new Uint8Array(64) })],
  ['only ones', NO, NO, NO, NO, () => ({ key: KEY, message: MESSAGE, signature: new Uint8Array(64).fill(255) })],
  ['a signature of Ed25519ctx', NO, NO, NO, NO, () => ordinary({ prefix: dom2(0, 'service-v1') })],
  ['a signature of Ed25519ph', NO, NO, NO, NO, () => ordinary({ prefix: dom2(1, ''), hashed: sha512(MESSAGE) })],
  ['R that is not on the curve', NO, NO, NO, NO, () => ordinary({ r: OFF_CURVE })],
  ['a key that is not on the curve', NO, NO, NO, NO, () => ordinary({ key: OFF_CURVE })],
  ['neutral R', ONCE, YES, YES, NO, () => neutralR()],
  ['neutral R with an unreduced y', NO, NO, YES, NO, () => neutralR(make.NEUTRAL_UNREDUCED)],
  ['neutral R with a sign bit although x is 0', NO, NO, YES, NO, () => neutralR(make.NEUTRAL_WITH_SIGN)],
  ['R of small order', NO, YES, YES, NO, () => forge({ a: A, r: 0n, rTorsion: 4, withoutCofactor: false })],
  ['R of mixed order', NO, YES, YES, NO, () => forge({ a: A, rTorsion: 1, withoutCofactor: false })],
  ['the neutral point as a key', ONCE, NO, YES, NO, () => bySmallOrder(make.NEUTRAL, 0)],
  ['the unreduced neutral point as a key', ONCE, NO, YES, NO, () => bySmallOrder(make.NEUTRAL_UNREDUCED, 0)],
  ['the neutral point with a sign bit as a key', ONCE, NO, YES, NO, () => bySmallOrder(make.NEUTRAL_WITH_SIGN, 0)],
  ['a key with y = p + 2', NO, NO, NO, NO, () => ordinary({ key: littleEndian(P + 2n) })],
  ['a key of order 8, R ordinary', ONCE, NO, YES, NO, () => ofOrder8({ rTorsion: 0, withoutCofactor: true })],
  ['a key of order 8, R of small order, S = 0', ONCE, NO, YES, NO, () => ofOrder8({ r: 0n, withoutCofactor: true })],
  ['a key of order 8, R of mixed order', ONCE, NO, YES, NO, () => ofOrder8({ withoutCofactor: true })],
  ['a key of order 8, with the cofactor only', NO, NO, YES, NO, () => ofOrder8({ withoutCofactor: false })],
  ['a key of mixed order, R ordinary', YES, YES, YES, YES, () => ofMixedOrder({ rTorsion: 0, withoutCofactor: true })],
  ['a key and R of mixed order', YES, YES, YES, YES, () => ofMixedOrder({ rTorsion: 3, withoutCofactor: true })],
  ['a key of mixed order, R of small order', ONCE, YES, YES, NO, () => ofMixedOrder({ r: 0n, withoutCofactor: true })],
  [
    'a key of mixed order, with the cofactor only',
    NO,
    YES,
    YES,
    NO,
    () => ofMixedOrder({ rTorsion: 0, withoutCofactor: false }),
  ],
  [
    'a key and R of mixed order, with the cofactor only',
    NO,
    YES,
    YES,
    NO,
    () => ofMixedOrder({ rTorsion: 3, withoutCofactor: false }),
  ],
];
