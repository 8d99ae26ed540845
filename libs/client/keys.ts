import { randomBytes } from 'node:crypto';
import { publicKeyNoble, signNoble } from '#libs/signing/noble.js';
import { SIGNED_BY_NEW_KEY, signedMessage, signerOf } from '#libs/signing/signed-message.js';
import type { WireFields } from './wire.js';

export const SEED_BYTES = 32;
/** 24 bytes are 32 characters: more than the 22 that an idempotency key needs. */
const RANDOM_BYTES = 24;

/** For nonces and idempotency keys. */
export function randomText(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url');
}

/** When and under which nonce a request is signed. */
export interface Stamp {
  /** Unix ms. */
  readonly timestamp: number;
  readonly nonce: string;
}

/** How a client proves who it is: what it adds to a request's fields and headers. */
export interface Credentials {
  readonly mode: 'key' | 'token' | 'nobody';
  fields(endpoint: string, fields: WireFields, stamp: Stamp): WireFields;
  readonly headers: { readonly [name: string]: string };
}

/** For what needs no key. */
export const NOBODY: Credentials = { mode: 'nobody', headers: {}, fields: (_endpoint, fields) => fields };

export function bearer(token: string): Credentials {
  return { mode: 'token', headers: { authorization: `Bearer ${token}` }, fields: (_endpoint, fields) => fields };
}

/** An ed25519 key that signs the bodies of requests. */
export class SigningKey implements Credentials {
  readonly mode = 'key';
  readonly headers = {};
  readonly publicKey: string;

  constructor(
    readonly seed: Uint8Array,
    private readonly tag: string,
    /** Null until the key is registered. */
    public museId: string | null,
  ) {
    if (seed.length !== SEED_BYTES) throw new RangeError(`An ed25519 seed has ${SEED_BYTES} bytes.`);
    this.publicKey = publicKeyNoble(seed);
  }

  static newSeed(): Uint8Array {
    return new Uint8Array(randomBytes(SEED_BYTES));
  }

  /** The signature over any text, base64url: for proofs. */
  sign(message: string): string {
    return signNoble(this.seed, message);
  }

  /** The body with its signature (`service-v1`). A key that nobody knows yet signs for itself, without a muse_id. */
  fields(endpoint: string, fields: WireFields, { timestamp, nonce }: Stamp): WireFields {
    const known = this.museId !== null && !SIGNED_BY_NEW_KEY.has(endpoint);
    const named: WireFields = known ? { ...fields, muse_id: this.museId! } : fields;
    const museId = signerOf(endpoint, named);
    if (museId === '') throw new Error('This key belongs to no identity yet: register it, or name its museId.');
    const stamped = { ...named, timestamp: String(timestamp), nonce };
    const message = signedMessage({ tag: this.tag, endpoint, timestamp: stamped.timestamp, nonce, museId, fields });
    return { ...stamped, signature: this.sign(message) };
  }
}
