import { type KnownMuse, VerificationEnded } from './muse.js';

type VerificationEndReason = Parameters<typeof VerificationEnded>[0]['reason'];

/** Ends the verification, if there is one, and frees the wallet for another muse. */
export function endVerification({ muse_id, wallet, recruiter }: KnownMuse, reason: VerificationEndReason) {
  return wallet === null ? [] : [VerificationEnded({ muse_id, wallet, reason, referred_by: recruiter })];
}
