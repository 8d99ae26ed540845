import { createPublicKey, type KeyObject, randomBytes } from 'node:crypto';
import type { RequestFields } from '#libs/kernel/event.js';
import { importSeed, sign } from '#libs/platform/signing/ed25519.js';
import { signedMessage } from '#libs/platform/signing/signed-message.js';

const TAG = 'service-v1';
const NONCE_BYTES = 16;

export class Signer {
  museId = '';
  readonly publicKey: string;
  private readonly key: KeyObject;

  constructor(readonly seed: Uint8Array = new Uint8Array(randomBytes(32))) {
    this.key = importSeed(seed);
    this.publicKey = createPublicKey(this.key).export({ format: 'jwk' }).x!;
  }

  /** Signed body of a request; `endpoint` is the last segment of its path. */
  sign(endpoint: string, fields: RequestFields, at = Date.now(), tag = TAG): RequestFields {
    const own = endpoint === 'register';
    const named: RequestFields = own ? { public_key: this.publicKey, ...fields } : fields;
    const museId = own ? this.publicKey : this.museId;
    const stamp = { timestamp: String(at), nonce: randomBytes(NONCE_BYTES).toString('base64url') };
    const message = signedMessage({ tag, endpoint, ...stamp, museId, fields: named });
    return { ...named, ...(!own && { muse_id: museId }), ...stamp, signature: sign(this.key, message) };
  }
}
