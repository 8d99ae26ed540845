import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { Refusal } from '#libs/kernel/refusal.js';
import { decodeBase64url } from '#libs/platform/signing/base64url.js';
import { sign, verifyInPool, verifyStrict } from '#libs/platform/signing/ed25519.js';
import { signNoble, verifyNoble } from '#libs/platform/signing/noble-ed25519.js';
import { signedMessage, signerOf } from '#libs/platform/signing/signed-message.js';

interface Vector {
  readonly name: string;
  readonly tag: string;
  readonly endpoint: string;
  readonly body: { readonly [name: string]: string | null };
  readonly seed?: string;
  readonly public_key: string;
  readonly message: string | null;
  readonly signature: string;
  readonly valid: boolean;
  readonly error?: string;
}

const FOLDER = 'test/vectors';
const { vectors } = JSON.parse(readFileSync(`${FOLDER}/signed-message.json`, 'utf8')) as { vectors: Vector[] };
const [signable, refused] = [vectors.filter(v => v.message !== null), vectors.filter(v => v.message === null)];

function messageOf({ tag, endpoint, body }: Pick<Vector, 'tag' | 'endpoint' | 'body'>): string {
  const [timestamp, nonce] = [body['timestamp'] ?? '', body['nonce'] ?? ''];
  return signedMessage({ tag, endpoint, timestamp, nonce, museId: signerOf(endpoint, body), fields: body });
}

function refusalOf(act: () => unknown): Refusal {
  try {
    act();
  } catch (error) {
    if (error instanceof Refusal) return error;
  }
  throw new Error('Nothing was refused.');
}

const HEAD = { tag: 'service-v1', endpoint: 'post', timestamp: '1', nonce: 'n', museId: 'agent_0123456789' };

describe('the test vectors', () => {
  test('match the output of their script', () => {
    execFileSync(process.execPath, [`${FOLDER}/make-signed-message.mjs`, '--check'], { timeout: 20_000 });
    expect(vectors.length).toBeGreaterThanOrEqual(20);
  });

  test.each(signable)('have the layout of the message: $name', vector => {
    expect(messageOf(vector)).toBe(vector.message);
  });

  test.each(refused)('refuse the field name: $name', vector => {
    expect(refusalOf(() => messageOf(vector)).code).toBe(vector.error);
  });

  test.each(signable)('have the verdict of both implementations: $name', async vector => {
    const { public_key: key, message, signature, valid } = vector;
    expect(verifyStrict(key, message!, signature)).toBe(valid);
    expect(await verifyInPool(key, message!, signature)).toBe(valid);
    expect(verifyNoble(key, message!, signature)).toBe(valid);
  });

  test.each(signable.filter(v => v.valid))('have the signature of both implementations: $name', vector => {
    const seed = decodeBase64url(vector.seed!, 32)!;
    expect(sign(seed, vector.message!)).toBe(vector.signature);
    expect(signNoble(seed, vector.message!)).toBe(vector.signature);
  });
});

describe('the layout of a signed message', () => {
  test('has exactly five lines without fields', () => {
    expect(signedMessage({ ...HEAD, fields: {} })).toBe('service-v1\npost\n1\nn\nagent_0123456789');
  });

  test('ignores fields that are never signed', () => {
    const fields = { signature: 's', timestamp: '2', nonce: 'm', muse_id: 'x', x402_payment: '\ud800' };
    expect(signedMessage({ ...HEAD, fields })).toBe(signedMessage({ ...HEAD, fields: {} }));
  });

  test('treats a name of the object prototype like any other name', () => {
    const fields = JSON.parse('{"__proto__": "x"}') as Record<string, string>;
    expect(refusalOf(() => signedMessage({ ...HEAD, fields })).code).toBe('field_name');
    expect(signedMessage({ ...HEAD, fields: { constructor: 'x' } })).toMatch(/\nconstructor:1:x$/);
  });

  test('refuses a value with an unpaired surrogate by its field name', () => {
    expect(refusalOf(() => signedMessage({ ...HEAD, fields: { text: 'a\ud800b' } })).code).toBe('text');
  });

  test('refuses a nonce of two lines, which could imitate another message', () => {
    expect(refusalOf(() => signedMessage({ ...HEAD, nonce: 'n\nm', fields: {} })).code).toBe('nonce');
  });
});
