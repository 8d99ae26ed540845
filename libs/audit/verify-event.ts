import { feedEventDigest } from '#libs/platform/signing/event-digest.js';
import { verifyNoble } from '#libs/platform/signing/noble-ed25519.js';
import { isPrivateEvent, openPublicEvent, type PublicEvent } from './public-event.js';
import { verifyAuthorization } from './signatures.js';

/**
 * What a stranger can say of one event: `digest` whether its digest is right, null for one that is shown by its digest
 * alone; `signature` whether it is by the key that it names, `hidden` where what was signed is private or erased, null
 * for an event that rests on no signature.
 */
export interface EventVerdict {
  readonly digest: boolean | null;
  readonly signature: boolean | 'hidden' | null;
}

/** Looks at one event of the public feed with nothing but the event and the tag of signed messages. */
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

/** The key that a muse registered with, where the event says so. */
export function registeredKey({ type, data }: PublicEvent): readonly [museId: string, publicKey: string] | null {
  if (type !== 'Registered') return null;
  const { muse_id: museId, public_key: key } = data as { readonly [name: string]: unknown };
  return typeof museId === 'string' && typeof key === 'string' ? [museId, key] : null;
}
