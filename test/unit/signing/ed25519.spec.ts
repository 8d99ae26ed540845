import { describe, expect, test } from '@jest/globals';
import { decodeBase64url, encodeBase64url } from '#libs/signing/base64url.js';
import { generateKey, publicKeyOf, sign, verifyInPool, verifyStrict } from '#libs/signing/ed25519.js';
import { publicKeyNoble, signNoble, verifyNoble } from '#libs/signing/noble.js';
import { importPublicKey } from '#libs/signing/public-key.js';

const P = 2n ** 255n - 19n;
const ORDER_8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
const SIGN_BIT = 2n ** 255n;

function textOf(number: bigint): string {
  return encodeBase64url(Uint8Array.from(Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse()));
}

const fromHex = (hex: string) => new Uint8Array(Buffer.from(hex, 'hex'));
const inBase64url = (hex: string) => encodeBase64url(fromHex(hex));

/** RFC 8032, section 7.1: seed, public key, message, signature. */
const RFC_8032 = [
  [
    '9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60',
    'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a',
    '',
    'e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b',
  ],
  [
    '4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb',
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
    '72',
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  ],
] as const;

describe('ed25519', () => {
  test.each(RFC_8032)('the examples of RFC 8032 hold in both implementations: %s', (seed, key, message, signature) => {
    expect([publicKeyOf(fromHex(seed)), publicKeyNoble(fromHex(seed))]).toEqual(Array(2).fill(inBase64url(key)));
    const both = [sign(fromHex(seed), fromHex(message)), signNoble(fromHex(seed), fromHex(message))];
    expect(both).toEqual(Array(2).fill(inBase64url(signature)));
    expect(verifyStrict(inBase64url(key), fromHex(message), inBase64url(signature))).toBe(true);
  });

  test('a new key signs what it verifies and nothing else', async () => {
    const { seed, publicKey } = generateKey();
    const signature = sign(seed, 'Grüße');
    expect(await verifyInPool(publicKey, 'Grüße', signature)).toBe(true);
    expect(verifyNoble(publicKey, 'Grüße', signature)).toBe(true);
    expect(verifyStrict(publicKey, 'Grüsse', signature)).toBe(false);
    expect(verifyStrict(generateKey().publicKey, 'Grüße', signature)).toBe(false);
  });

  test('a seed of another length is an error', () => {
    expect(() => sign(new Uint8Array(31), 'x')).toThrow('32 bytes');
  });

  test.each([0n, 1n, P - 1n, P, P + 1n, ORDER_8, P - ORDER_8])('a small-order point is no key: y = %s', async y => {
    for (const text of [textOf(y), textOf(y + SIGN_BIT)]) {
      expect(importPublicKey(text)).toBeNull();
      expect(verifyStrict(text, 'x', 'A'.repeat(86))).toBe(false);
      expect(await verifyInPool(text, 'x', 'A'.repeat(86))).toBe(false);
    }
  });

  test('an unreduced y is no key', () => {
    for (let excess = 0n; excess < 19n; excess++) expect(importPublicKey(textOf(P + excess))).toBeNull();
  });

  test('a key that is on no point of the curve verifies nothing', async () => {
    expect(verifyStrict(textOf(2n), 'x', 'A'.repeat(86))).toBe(false);
    expect(await verifyInPool(textOf(2n), 'x', 'A'.repeat(86))).toBe(false);
    expect(verifyNoble(textOf(2n), 'x', 'A'.repeat(86))).toBe(false);
  });

  test.each(['', 'A', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, `${'_'.repeat(42)}B`, `${'é'.repeat(43)}`])(
    'a text that is no key is null: %s',
    text => expect(importPublicKey(text)).toBeNull(),
  );
});

describe('the cache of keys', () => {
  test('a key is imported once', () => {
    const { publicKey } = generateKey();
    expect(importPublicKey(publicKey)).toBe(importPublicKey(publicKey));
  });
});

describe('base64url', () => {
  test('bytes of every length come back', () => {
    for (let length = 0; length < 70; length++) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 37 + length) % 256);
      expect(encodeBase64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
      expect(decodeBase64url(encodeBase64url(bytes), length)).toEqual(bytes);
    }
  });

  test('padding, other alphabets and trailing bits are refused', () => {
    for (const text of ['_w==', '/w', '_x', '_', '_wA', 'w ']) expect(decodeBase64url(text, 1)).toBeNull();
    expect(decodeBase64url('_w', 1)).toEqual(Uint8Array.of(255));
  });
});
