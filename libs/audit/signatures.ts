import { signerOf, signedMessage } from '#libs/signing/signed-message.js';
import { commitmentOf } from '#libs/signing/commitment.js';
import type { Authorization, Event } from '#libs/kernel/event.js';

type Signed = Extract<Authorization, { mode: 'signature' }>;

/** Verifies an ed25519 signature: public key and signature in base64url. */
export type Verify = (publicKey: string, message: Uint8Array, signature: string) => boolean;

export type SignatureVerdict = 'ok' | 'erased' | 'bearer' | 'service' | 'operator' | 'commitment' | 'signature';

/** The message that an event's request signed, rebuilt from what the log holds; null where that was erased. */
export function rebuiltMessage(event: Pick<Event, 'actor'>, authorization: Signed, tag: string): Uint8Array | null {
  const { fields } = authorization.sealed;
  if (fields === null) return null;
  const { endpoint, timestamp, nonce } = authorization;
  const museId = signerOf(endpoint, { ...fields, muse_id: event.actor });
  return Buffer.from(signedMessage({ tag, endpoint, timestamp, nonce, museId, fields }));
}

/** Whether an event was allowed as it says. Trusts nothing but the key it names. */
export function verifyAuthorization(
  event: Pick<Event, 'actor' | 'authorization'>,
  tag: string,
  verify: Verify,
): SignatureVerdict {
  const { authorization } = event;
  if (authorization.mode !== 'signature') return authorization.mode;
  const { signature, salt } = authorization.sealed;
  const message = rebuiltMessage(event, authorization, tag);
  if (message === null || signature === null || salt === null) return 'erased';
  if (commitmentOf(Buffer.from(salt, 'hex'), message) !== authorization.commitment) return 'commitment';
  return verify(authorization.public_key, message, signature) ? 'ok' : 'signature';
}
