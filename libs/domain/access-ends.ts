import type { Authorization } from '#libs/kernel/event.js';
import { badToken, Refusal } from '#libs/kernel/refusal.js';
import { isPresentMuse, KeyBound, type KnownMuse, type Muse, TokenRevoked, VerificationEnded } from './muse.js';
import { findRecoveryKey, RECOVERY_ENDPOINT, recoveryOf } from './recovery.js';

/** Maximum tokens of one identity: a further one ends the oldest. */
export const TOKENS_MAX = 20;

export const listTokenHashes = ({ tokens }: KnownMuse): string[] => [...tokens].map(([hash]) => hash);

export const getBearerTokenHint = (authorization: Authorization): string | null =>
  authorization.mode === 'bearer' ? authorization.token : null;

/** `at`: unix ms of the request. */
export function assertCredentialsValid(muse: Muse, authorization: Authorization, at: number): void {
  if (!isPresentMuse(muse)) return;
  const token = getBearerTokenHint(authorization);
  const isValid = ([hash, expiresAt]: readonly [string, number]) => hash.startsWith(token!) && at < expiresAt;
  if (token !== null && ![...muse.tokens].some(isValid)) throw badToken();
  if (authorization.mode !== 'signature') return;
  const { endpoint, public_key: key } = authorization;
  const isRecovery = endpoint === RECOVERY_ENDPOINT;
  if (isRecovery && findRecoveryKey(recoveryOf(muse), key, at) === undefined)
    throw new Refusal('signature_mismatch', 'The recovery key of this signature has ended. Sign with the present one.');
  if (!isRecovery && key !== muse.public_key)
    throw new Refusal('signature_mismatch', 'The key of this signature has been replaced. Sign with the new key.');
}

/** Returns the oldest tokens, which end when another one is issued. */
export function listSurplusTokens({ issued }: KnownMuse): string[] {
  const inOrder = [...issued].sort(([, one], [, other]) => one - other).map(([hash]) => hash);
  return inOrder.slice(0, Math.max(0, inOrder.length + 1 - TOKENS_MAX));
}

/** Follows `token` (revoke, or a signed rotate), a new key, a link and an import. `forget` also drops all tokens. */
export function revokeAllTokens(muse: KnownMuse) {
  const hashes = listTokenHashes(muse);
  return hashes.length === 0 ? [] : [TokenRevoked({ muse_id: muse.muse_id, hashes })];
}

/** Replaces a key, which ends all that relied on it. */
export const replaceMuseKey = (muse: KnownMuse, binding: Parameters<typeof KeyBound>[0]) => [
  ...endVerification(muse, 'key_changed'),
  ...revokeAllTokens(muse),
  KeyBound(binding),
];

type VerificationEndReason = Parameters<typeof VerificationEnded>[0]['reason'];

/** Ends the verification, if there is one, and frees the wallet for another muse. */
export function endVerification({ muse_id, wallet, recruiter }: KnownMuse, reason: VerificationEndReason) {
  return wallet === null ? [] : [VerificationEnded({ muse_id, wallet, reason, referred_by: recruiter })];
}
