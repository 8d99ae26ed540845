import { describe, expect, test } from '@jest/globals';
import { decodeBase64url, encodeBase64url } from '#libs/platform/signing/base64url.js';
import { generateKey, sign, verifyInPool, verifyStrict, importPublicKey } from '#libs/platform/signing/ed25519.js';
import { verifyNoble } from '#libs/platform/signing/noble-ed25519.js';

const P = 2n ** 255n - 19n;

function textOf(number: bigint): string {
  return encodeBase64url(Uint8Array.from(Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse()));
}

describe('ed25519', () => {
  test('verifies only the signature of its own key and message', async () => {
    const { seed, publicKey } = generateKey();
    const signature = sign(seed, 'Grüße');
    expect(await verifyInPool(publicKey, 'Grüße', signature)).toBe(true);
    expect(verifyNoble(publicKey, 'Grüße', signature)).toBe(true);
    expect(verifyStrict(publicKey, 'Grüsse', signature)).toBe(false);
    expect(verifyStrict(generateKey().publicKey, 'Grüße', signature)).toBe(false);
  });

  test('rejects a seed of another length', () => {
    expect(() => sign(new Uint8Array(31), 'x')).toThrow('32 bytes');
  });

  test('rejects a key with an unreduced y', () => {
    for (let excess = 0n; excess < 19n; excess++) expect(importPublicKey(textOf(P + excess))).toBeNull();
  });

  test('verifies nothing with a key that is not on the curve', async () => {
    expect(verifyStrict(textOf(2n), 'x', 'A'.repeat(86))).toBe(false);
    expect(await verifyInPool(textOf(2n), 'x', 'A'.repeat(86))).toBe(false);
    expect(verifyNoble(textOf(2n), 'x', 'A'.repeat(86))).toBe(false);
  });

  test.each(['', 'A', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}=`, `${'_'.repeat(42)}B`, `${'é'.repeat(43)}`])(
    'rejects malformed key text: %s',
    text => expect(importPublicKey(text)).toBeNull(),
  );
});

describe('the key cache', () => {
  test('imports a key once', () => {
    const { publicKey } = generateKey();
    expect(importPublicKey(publicKey)).toBe(importPublicKey(publicKey));
  });
});

describe('base64url', () => {
  test('decodes encoded bytes of every length', () => {
    for (let length = 0; length < 70; length++) {
      const bytes = Uint8Array.from({ length }, (_, at) => (at * 37 + length) % 256);
      expect(encodeBase64url(bytes)).toBe(Buffer.from(bytes).toString('base64url'));
      expect(decodeBase64url(encodeBase64url(bytes), length)).toEqual(bytes);
    }
  });

  test('rejects padding, other alphabets and trailing bits', () => {
    for (const text of ['_w==', '/w', '_x', '_', '_wA', 'w ', 'wé', 'w\n', '\u{1f600}', '\ud83dA'])
      expect(decodeBase64url(text, 1)).toBeNull();
    expect(decodeBase64url('_w', 1)).toEqual(Uint8Array.of(255));
  });
});
