import { computeCommitment } from '#libs/kernel/commitment.js';
import type { Event } from '#libs/kernel/event.js';
import { type SignatureAuthorization, rebuildSignedText } from './signed-text.js';

export type SignatureVerifier = (publicKey: string, message: Uint8Array, signature: string) => boolean;

/** `hidden`: the signed fields are private or erased. */
export type SignatureVerdict = 'ok' | 'hidden' | 'bearer' | 'service' | 'operator' | 'commitment' | 'signature';

export interface UnverifiedSignature {
  readonly publicKey: string;
  readonly message: Uint8Array;
  readonly signature: string;
}

export function rebuildMessage(
  event: Pick<Event, 'actor'>,
  authorization: SignatureAuthorization,
  tag: string,
): Uint8Array | null {
  const text = rebuildSignedText(event, authorization, tag);
  return text === null ? null : Buffer.from(text);
}

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

export function verifyAuthorization(
  event: Pick<Event, 'actor' | 'authorization'>,
  tag: string,
  verify: SignatureVerifier,
): SignatureVerdict {
  const signature = readSignature(event, tag);
  if (typeof signature === 'string') return signature;
  return verify(signature.publicKey, signature.message, signature.signature) ? 'ok' : 'signature';
}
