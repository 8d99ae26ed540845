import { computeCommitment } from '#libs/kernel/commitment.js';
import { type Event, signedRequestOf, type SignatureAuthorization } from '#libs/kernel/event.js';
import { feedEventDigest } from '#libs/platform/signing/event-digest.js';
import { verifyNoble } from '#libs/platform/signing/noble-ed25519.js';
import { isPrivateEvent, openPublicEvent, type PublicEvent } from './public-event.js';
import { rebuildSignedText } from './signed-text.js';

export interface UnverifiedSignature {
  readonly publicKey: string;
  readonly message: Uint8Array;
  readonly signature: string;
}

function rebuildMessage(
  event: Pick<Event, 'actor'>,
  authorization: SignatureAuthorization,
  tag: string,
): Uint8Array | null {
  const text = rebuildSignedText(event, authorization, tag);
  return text === null ? null : Buffer.from(text);
}

/** `hidden`: the signed fields are private or erased. `commitment`: they are not those that were signed. */
export function readSignature(
  event: Pick<Event, 'actor' | 'authorization'>,
  tag: string,
): UnverifiedSignature | 'hidden' | 'commitment' | 'bearer' | 'service' | 'operator' {
  const { authorization } = event;
  if (authorization.mode !== 'signature') return authorization.mode;
  const message = rebuildMessage(event, authorization, tag);
  const request = signedRequestOf(authorization);
  if (message === null || request === null) return 'hidden';
  const { signature, salt } = request;
  if (computeCommitment(salt, message) !== authorization.commitment) return 'commitment';
  return { publicKey: authorization.public_key, message, signature };
}

/** `digest` is null if only the digest is shown; `signature` is null for an unsigned event. */
interface EventVerdict {
  readonly digest: boolean | null;
  readonly signature: boolean | 'hidden' | null;
}

export function verifyEvent(event: PublicEvent, tag: string): EventVerdict {
  if (isPrivateEvent(event)) return { digest: null, signature: null };
  return { digest: feedEventDigest(event) === event.digest, signature: signatureVerdict(event, tag) };
}

function signatureVerdict(event: PublicEvent, tag: string): EventVerdict['signature'] {
  const signed = readSignature(openPublicEvent(event), tag);
  if (signed === 'hidden') return 'hidden';
  if (typeof signed === 'string') return signed === 'commitment' ? false : null;
  return verifyNoble(signed.publicKey, signed.message, signed.signature);
}

export function registeredKey({ type, data }: PublicEvent): readonly [museId: string, publicKey: string] | null {
  if (type !== 'Registered') return null;
  const { muse_id: museId, public_key: key } = data as { readonly [name: string]: unknown };
  return typeof museId === 'string' && typeof key === 'string' ? [museId, key] : null;
}
