import type { Authorization } from '#libs/kernel/event.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { isPresentMuse, type KnownMuse, type Muse, TokenRevoked, VerificationEnded } from './muse.js';

/** The tokens of a muse, by their sha256. */
export const listTokenHashes = ({ tokens }: KnownMuse): string[] => [...tokens].map(([hash]) => hash);

/** How much of its sha256 an event names of the token that allowed it; null for what was signed. */
export const getBearerTokenHint = (authorization: Authorization): string | null =>
  authorization.mode === 'bearer' ? authorization.token : null;

/**
 * Refuses what was allowed by a key or a token that has ended since: of two requests at one moment, one may end what
 * the other was allowed by.
 */
export function assertCredentialsValid(muse: Muse, authorization: Authorization): void {
  if (!isPresentMuse(muse)) return;
  const token = getBearerTokenHint(authorization);
  if (token !== null && !listTokenHashes(muse).some(hash => hash.startsWith(token)))
    throw new Refusal('bad_token', 'The bearer token is unknown, expired or revoked.');
  if (authorization.mode === 'signature' && authorization.public_key !== muse.public_key)
    throw new Refusal('signature_mismatch', 'The key that signed was replaced meanwhile.');
}

/** The end of every token of a muse. */
export function revokeAllTokens(muse: KnownMuse) {
  const hashes = listTokenHashes(muse);
  return hashes.length === 0 ? [] : [TokenRevoked({ muse_id: muse.muse_id, hashes })];
}

type VerificationEndReason = Parameters<typeof VerificationEnded>[0]['reason'];

/** The end of a muse's verification, where it has one: its wallet is free for another. */
export function endVerification({ muse_id, wallet, recruiter }: KnownMuse, reason: VerificationEndReason) {
  return wallet === null ? [] : [VerificationEnded({ muse_id, wallet, reason, referred_by: recruiter })];
}
