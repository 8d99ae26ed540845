import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { verify as verifyByNoble } from '@noble/ed25519';
import { encodeBase64url } from '#libs/platform/signing/base64url.js';
import { publicKeyOf, sign, verifyInPool, verifyStrict, importPublicKey } from '#libs/platform/signing/ed25519.js';
import { publicKeyNoble, signNoble, verifyNoble } from '#libs/platform/signing/noble-ed25519.js';
import { forge, type Forged, NEUTRAL, scalarOf, SMALL_ORDER_KEYS } from './forgery.js';
import { ROWS } from './hostile-signatures.js';

interface Vector {
  readonly name: string;
  readonly seed: string;
  readonly public_key: string;
  readonly message: string;
  readonly signature: string;
}
const RFC_8032 = JSON.parse(readFileSync('test/vectors/rfc-8032.json', 'utf8')) as readonly Vector[];
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const fromHex = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const twice = (value: unknown) => [value, value];

/** Verifies with node:crypto only, without the checks of the service. */
function byNode({ key, message, signature }: Forged): boolean {
  const der = Buffer.concat([SPKI_PREFIX, key]);
  return verify(null, Buffer.from(message), createPublicKey({ key: der, format: 'der', type: 'spki' }), signature);
}

/** Whether the OpenSSL of this Node accepts the neutral point as key and as R. */
const TAKES_SMALL_ORDER = byNode({
  key: NEUTRAL,
  message: '',
  signature: Buffer.concat([NEUTRAL, new Uint8Array(32)]),
});

const byNobleAs = (zip215: boolean, { key, message, signature }: Forged): boolean =>
  verifyByNoble(signature, Buffer.from(message), key, { zip215 });

async function byService({ key, message, signature }: Forged): Promise<boolean[]> {
  const [keyText, text] = [encodeBase64url(key), encodeBase64url(signature)];
  return [
    verifyStrict(keyText, message, text),
    await verifyInPool(keyText, message, text),
    verifyNoble(keyText, message, text),
  ];
}

describe('the vectors of RFC 8032, section 7.1', () => {
  test.each(RFC_8032)('$name is signed and verified identically by both implementations', async vector => {
    const [seed, message, signature] = [vector.seed, vector.message, vector.signature].map(fromHex) as [
      Uint8Array,
      Uint8Array,
      Uint8Array,
    ];
    const [key, text] = [encodeBase64url(fromHex(vector.public_key)), encodeBase64url(signature)];
    expect([publicKeyOf(seed), publicKeyNoble(seed)]).toEqual(twice(key));
    expect([sign(seed, message), signNoble(seed, message)]).toEqual(twice(text));
    expect([verifyStrict(key, message, text), await verifyInPool(key, message, text)]).toEqual(twice(true));
    expect(verifyNoble(key, message, text)).toBe(true);
  });

  test.each(RFC_8032)('$name with any byte changed is refused', vector => {
    const [key, message] = [encodeBase64url(fromHex(vector.public_key)), fromHex(vector.message)];
    for (let at = 0; at < 64; at += 1) {
      const changed = fromHex(vector.signature);
      changed[at]! ^= 0x10;
      expect(verifyStrict(key, message, encodeBase64url(changed))).toBe(false);
    }
  });
});

describe('a forged signature', () => {
  test.each(ROWS)('%s: node:crypto %s, strict noble %s, ZIP 215 noble %s, the service %s', async (...row) => {
    const [, node, strict, zip215, service, make] = row;
    const forged = make();
    const byThisNode = node === 'once' ? TAKES_SMALL_ORDER : node;
    const verdicts = { node: byNode(forged), strict: byNobleAs(false, forged), zip215: byNobleAs(true, forged) };
    expect(verdicts).toEqual({ node: byThisNode, strict, zip215 });
    expect(await byService(forged)).toEqual([service, service, service]);
  });

  test('is accepted by the service if node:crypto and strict noble accept it', () => {
    for (const [name, node, strict, , service] of ROWS)
      expect([name, service]).toEqual([name, node === true && strict]);
  });

  test('by any of the fourteen small-order keys is refused', async () => {
    expect(new Set(SMALL_ORDER_KEYS.map(encodeBase64url)).size).toBe(14);
    for (const key of SMALL_ORDER_KEYS) {
      expect(importPublicKey(encodeBase64url(key))).toBeNull();
      expect(await byService(signedBySmallOrder(key))).toEqual([false, false, false]);
    }
  });

  test.each([...Array(8).keys()])(
    'by a key of torsion %s is judged the same by both implementations',
    async keyTorsion => {
      const a = scalarOf(`secret ${keyTorsion}`);
      for (let rTorsion = 0; rTorsion < 8; rTorsion += 1)
        for (const withoutCofactor of [true, false]) {
          if (!isPossible(keyTorsion, rTorsion, withoutCofactor)) continue;
          const forged = forge({ a, keyTorsion, rTorsion, withoutCofactor });
          expect([byNode(forged), byNobleAs(true, forged)]).toEqual([withoutCofactor, true]);
          expect(await byService(forged)).toEqual(Array(3).fill(withoutCofactor));
        }
    },
  );
});

/** Finds a message that a small-order key signs with S = 0, without any secret. */
function signedBySmallOrder(key: Uint8Array): Forged {
  const signature = new Uint8Array(64);
  for (let attempt = 0; attempt < 2_000; attempt += 1) {
    signature.set(SMALL_ORDER_KEYS[attempt % 8]!);
    const forged = { key, message: `message ${attempt}`, signature };
    if (byNobleAs(true, forged)) return forged;
  }
  throw new Error('Nothing that was tried is a signature by this key.');
}

/** Tells whether some k cancels the small-order part of R, as the recipe requires. */
function isPossible(keyTorsion: number, rTorsion: number, withoutCofactor: boolean): boolean {
  const reached = [...Array(8).keys()].map(k => (rTorsion + k * keyTorsion) % 8);
  return withoutCofactor ? reached.includes(0) : reached.some(rest => rest !== 0);
}
