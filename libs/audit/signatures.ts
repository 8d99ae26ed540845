import { commitmentOf } from '#libs/kernel/commitment.js';
import type { Event } from '#libs/kernel/event.js';
import { type Signed, signedText } from './signed-text.js';

/** Verifies an ed25519 signature: public key and signature in base64url. */
export type Verify = (publicKey: string, message: Uint8Array, signature: string) => boolean;

/** `hidden`: what was signed is not there to be looked at, erased or private. */
export type SignatureVerdict = 'ok' | 'hidden' | 'bearer' | 'service' | 'operator' | 'commitment' | 'signature';

/** What is left to be verified of a signed request: that the key has signed the message. */
export interface Signature {
  readonly publicKey: string;
  readonly message: Uint8Array;
  readonly signature: string;
}

/** The message that an event's request signed, rebuilt from what is shown; null where its fields are not. */
export function rebuiltMessage(event: Pick<Event, 'actor'>, authorization: Signed, tag: string): Uint8Array | null {
  const text = signedText(event, authorization, tag);
  return text === null ? null : Buffer.from(text);
}

/** Looks at how an event was allowed: the signature that is to be verified, or what else is to be said. */
export function signatureOf(
  event: Pick<Event, 'actor' | 'authorization'>,
  tag: string,
): Signature | Exclude<SignatureVerdict, 'ok' | 'signature'> {
  const { authorization } = event;
  if (authorization.mode !== 'signature') return authorization.mode;
  const message = rebuiltMessage(event, authorization, tag);
  if (message === null || authorization.sealed === null) return 'hidden';
  const { signature, salt } = authorization.sealed;
  if (commitmentOf(salt, message) !== authorization.commitment) return 'commitment';
  return { publicKey: authorization.public_key, message, signature };
}

/** Whether an event was allowed as it says. Trusts nothing but the key it names. */
export function verifyAuthorization(
  event: Pick<Event, 'actor' | 'authorization'>,
  tag: string,
  verify: Verify,
): SignatureVerdict {
  const found = signatureOf(event, tag);
  if (typeof found === 'string') return found;
  return verify(found.publicKey, found.message, found.signature) ? 'ok' : 'signature';
}
