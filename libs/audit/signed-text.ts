import { type Event, signedRequestOf, type SignatureAuthorization } from '#libs/kernel/event.js';
import { signedMessage, signerOf } from '#libs/platform/signing/signed-message.js';

export function rebuildSignedText(
  event: Pick<Event, 'actor'>,
  authorization: SignatureAuthorization,
  tag: string,
): string | null {
  const request = signedRequestOf(authorization);
  if (request === null) return null;
  const { fields } = request;
  const { endpoint, timestamp, nonce } = authorization;
  const museId = signerOf(endpoint, { ...fields, muse_id: event.actor });
  return signedMessage({ tag, endpoint, timestamp, nonce, museId, fields });
}
