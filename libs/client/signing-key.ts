import { publicKeyNoble, signNoble } from '#libs/platform/signing/noble-ed25519.js';
import { type KeyPair, MuseKey, SEED_BYTES, WebCryptoKey } from './keys.js';
import { randomBytes } from './random.js';

/** A seed of 32 bytes, a new one, or a WebCrypto key pair. */
export type KeySource = Uint8Array | 'new' | KeyPair;

export async function createKey(source: KeySource, tag: string, museId: string | null): Promise<MuseKey> {
  if (source === 'new') return new SigningKey(SigningKey.newSeed(), tag, museId);
  return source instanceof Uint8Array
    ? new SigningKey(source, tag, museId)
    : await WebCryptoKey.of(source, tag, museId);
}

/** A key with a known seed. */
export class SigningKey extends MuseKey {
  constructor(
    readonly seed: Uint8Array,
    tag: string,
    museId: string | null,
  ) {
    if (seed.length !== SEED_BYTES) throw new RangeError(`An ed25519 seed has ${SEED_BYTES} bytes.`);
    super(publicKeyNoble(seed), tag, museId);
  }

  static newSeed(): Uint8Array {
    return randomBytes(SEED_BYTES);
  }

  sign(message: string): string {
    return signNoble(this.seed, message);
  }
}
