import { computeCommitment } from '#libs/kernel/commitment.js';
import type { Event } from '#libs/kernel/event.js';
import { type SignatureAuthorization, rebuildSignedText } from './signed-text.js';

/** Verifies an ed25519 signature: public key and signature in base64url. */
export type SignatureVerifier = (publicKey: string, message: Uint8Array, signature: string) => boolean;

/** `hidden`: what was signed is not there to be looked at, erased or private. */
export type SignatureVerdict = 'ok' | 'hidden' | 'bearer' | 'service' | 'operator' | 'commitment' | 'signature';

/** What is left to be verified of a signed request: that the key has signed the message. */
export interface UnverifiedSignature {
  readonly publicKey: string;
  readonly message: Uint8Array;
  readonly signature: string;
}

/** The message that an event's request signed, rebuilt from what is shown; null where its fields are not. */
export function rebuildMessage(
  event: Pick<Event, 'actor'>,
  authorization: SignatureAuthorization,
  tag: string,
): Uint8Array | null {
  const text = rebuildSignedText(event, authorization, tag);
  return text === null ? null : Buffer.from(text);
}

/** Looks at how an event was allowed: the signature that is to be verified, or what else is to be said. */
export function readSignature(
  event: Pick<Event, 'actor' | 'authorization'>,
  tag: string,
): UnverifiedSignature | Exclude<SignatureVerdict, 'ok' | 'signature'> {
  const { authorization } = event;
  if (authorization.mode !== 'signature') return authorization.mode;
  const message = rebuildMessage(event, authorization, tag);
  if (message === null || authorization.sealed === null) return 'hidden';
  const { signature, salt } = authorization.sealed;
  if (computeCommitment(salt, message) !== authorization.commitment) return 'commitment';
  return { publicKey: authorization.public_key, message, signature };
}

/** Whether an event was allowed as it says. Trusts nothing but the key it names. */
export function verifyAuthorization(
  event: Pick<Event, 'actor' | 'authorization'>,
  tag: string,
  verify: SignatureVerifier,
): SignatureVerdict {
  const found = readSignature(event, tag);
  if (typeof found === 'string') return found;
  return verify(found.publicKey, found.message, found.signature) ? 'ok' : 'signature';
}
