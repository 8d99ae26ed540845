import type { PublicEvent } from '#libs/client/index.js';
import type { JsonObject } from '#libs/kernel/json.js';
import { commitmentOf } from '#libs/signing/commitment.js';
import { feedEventDigest } from '#libs/signing/event-digest.js';
import { verifyNoble } from '#libs/signing/noble.js';
import { signedMessage, signerOf } from '#libs/signing/signed-message.js';

/**
 * What a stranger can say of an event: `digest` whether its digest is right, null for one that is shown by its digest
 * alone; `signature` whether it is the actor's, `hidden` where what was signed is private or erased, null for an event
 * that rests on no signature.
 */
export interface Findings {
  readonly digest: boolean | null;
  readonly signature: boolean | 'hidden' | null;
}

interface Shown {
  readonly value?: unknown;
}

interface SignatureAuthorization {
  readonly public_key: string;
  readonly endpoint: string;
  readonly timestamp: string;
  readonly nonce: string;
  readonly commitment: string;
  readonly sealed: { readonly signature: Shown | null; readonly fields: Shown | null; readonly salt: Shown | null };
}

/** Looks at one event of the public feed with nothing but the event and the tag of signed messages. */
export function verifyEvent(event: PublicEvent, tag: string): Findings {
  if (event.data === undefined) return { digest: null, signature: null };
  const { mode } = event.authorization as JsonObject;
  const signature = mode === 'signature' ? verifySignature(event, tag) : null;
  return { digest: feedEventDigest(event) === event.digest, signature };
}

/** Rebuilds the message that was signed, and checks both the commitment to it and the signature over it. */
function verifySignature(event: PublicEvent, tag: string): boolean | 'hidden' {
  const { sealed, public_key: key, ...signed } = event.authorization as unknown as SignatureAuthorization;
  const signature = sealed.signature?.value;
  const fields = sealed.fields?.value as { readonly [name: string]: string } | undefined;
  const salt = sealed.salt?.value;
  if (typeof signature !== 'string' || typeof salt !== 'string' || fields === undefined) return 'hidden';
  const { endpoint, timestamp, nonce, commitment } = signed;
  const museId = signerOf(endpoint, { ...fields, muse_id: event.actor });
  const message = signedMessage({ tag, endpoint, timestamp, nonce, museId, fields });
  return commitmentOf(Buffer.from(salt, 'hex'), message) === commitment && verifyNoble(key, message, signature);
}

/** The key that a muse registered with, where the event says so. */
export function registeredKey(event: PublicEvent): readonly [museId: string, publicKey: string] | null {
  if (event.type !== 'Registered') return null;
  const { muse_id: museId, public_key: key } = event.data as JsonObject;
  return typeof museId === 'string' && typeof key === 'string' ? [museId, key] : null;
}
