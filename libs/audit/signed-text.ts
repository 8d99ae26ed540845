import type { Authorization, Event } from '#libs/kernel/event.js';
import { signedMessage, signerOf } from '#libs/platform/signing/signed-message.js';

export type SignatureAuthorization = Extract<Authorization, { mode: 'signature' }>;

export function rebuildSignedText(
  event: Pick<Event, 'actor'>,
  authorization: SignatureAuthorization,
  tag: string,
): string | null {
  if (authorization.sealed === null) return null;
  const { fields } = authorization.sealed;
  const { endpoint, timestamp, nonce } = authorization;
  const museId = signerOf(endpoint, { ...fields, muse_id: event.actor });
  return signedMessage({ tag, endpoint, timestamp, nonce, museId, fields });
}
