import { feedEventDigest } from '#libs/platform/signing/event-digest.js';
import { verifyNoble } from '#libs/platform/signing/noble-ed25519.js';
import { isPrivateEvent, openPublicEvent, type PublicEvent } from './public-event.js';
import { verifyAuthorization } from './signatures.js';

/** `digest` is null if only the digest is shown; `signature` is null for an unsigned event. */
export interface EventVerdict {
  readonly digest: boolean | null;
  readonly signature: boolean | 'hidden' | null;
}

export function verifyEvent(event: PublicEvent, tag: string): EventVerdict {
  if (isPrivateEvent(event)) return { digest: null, signature: null };
  return { digest: feedEventDigest(event) === event.digest, signature: signatureVerdict(event, tag) };
}

function signatureVerdict(event: PublicEvent, tag: string): EventVerdict['signature'] {
  const verdict = verifyAuthorization(openPublicEvent(event), tag, verifyNoble);
  if (verdict === 'ok') return true;
  if (verdict === 'hidden') return 'hidden';
  return verdict === 'commitment' || verdict === 'signature' ? false : null;
}

export function registeredKey({ type, data }: PublicEvent): readonly [museId: string, publicKey: string] | null {
  if (type !== 'Registered') return null;
  const { muse_id: museId, public_key: key } = data as { readonly [name: string]: unknown };
  return typeof museId === 'string' && typeof key === 'string' ? [museId, key] : null;
}
