import { encodeBase64url } from '#libs/platform/signing/base64url.js';
import { NEW_KEY_ENDPOINTS, signedMessage, signerOf } from '#libs/platform/signing/signed-message.js';
import type { Credentials, RequestStamp } from './credentials.js';
import type { WireFields } from './wire.js';

export const SEED_BYTES = 32;
const ED25519 = 'Ed25519';
const utf8 = new TextEncoder();

type Subtle = typeof crypto.subtle;
type PrivateKey = Parameters<Subtle['sign']>[1];

/**
 * Result of `crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])`; the private key may be non-extractable.
 */
export interface KeyPair {
  readonly publicKey: Parameters<Subtle['exportKey']>[1];
  readonly privateKey: PrivateKey;
}

export abstract class MuseKey implements Credentials {
  readonly mode = 'key';
  readonly headers = {};

  constructor(
    /** Base64url. */
    readonly publicKey: string,
    private readonly tag: string,
    /** Null until the key is registered. */
    public museId: string | null,
  ) {}

  /** Signs any text, base64url. Used for proofs. */
  abstract sign(message: string): string | Promise<string>;

  /** Adds the signature (`service-v1`). An unregistered key signs without a muse_id. */
  async fields(endpoint: string, fields: WireFields, { timestamp, nonce }: RequestStamp): Promise<WireFields> {
    const isRegistered = this.museId !== null && !NEW_KEY_ENDPOINTS.has(endpoint);
    const identified: WireFields = isRegistered ? { ...fields, muse_id: this.museId! } : fields;
    const museId = signerOf(endpoint, identified);
    if (museId === '') throw new Error('This key has no identity yet: register it, or set museId.');
    const stamped = { ...identified, timestamp: String(timestamp), nonce };
    const message = signedMessage({ tag: this.tag, endpoint, timestamp: stamped.timestamp, nonce, museId, fields });
    return { ...stamped, signature: await this.sign(message) };
  }
}

/** A WebCrypto key, which may be non-extractable. */
export class WebCryptoKey extends MuseKey {
  private constructor(
    private readonly privateKey: PrivateKey,
    publicKey: string,
    tag: string,
    museId: string | null,
  ) {
    super(publicKey, tag, museId);
  }

  static async of({ privateKey, publicKey }: KeyPair, tag: string, museId: string | null): Promise<WebCryptoKey> {
    const raw = new Uint8Array(await crypto.subtle.exportKey('raw', publicKey));
    return new WebCryptoKey(privateKey, encodeBase64url(raw), tag, museId);
  }

  async sign(message: string): Promise<string> {
    const signature = await crypto.subtle.sign(ED25519, this.privateKey, utf8.encode(message));
    return encodeBase64url(new Uint8Array(signature));
  }
}
