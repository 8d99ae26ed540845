import { resolvePosterId } from '#libs/kernel/system-account.js';
import type { Recheck } from './check-counts.js';
import { hasDelivery, type KnownHire } from './hire.js';

interface Proof {
  /** Only a dispute by the poster removes skills. */
  readonly isDisputed: boolean;
  /** Result of the newest recheck that counts; null before the first. */
  readonly newestResult: Recheck['result'] | null;
  /** Whether the poster accepted the newest delivery as positive. */
  readonly isPositive: boolean;
}

const UNCHECKED = { newestResult: null, isPositive: false } as const;

const isProof = ({ isDisputed, newestResult, isPositive }: Proof) =>
  !isDisputed && (newestResult !== 'broke' || isPositive);

function proofOf(hire: KnownHire): Proof {
  const isDisputed = hire.dispute?.by === resolvePosterId(hire.poster);
  if (!hasDelivery(hire)) return { isDisputed, ...UNCHECKED };
  return {
    isDisputed,
    newestResult: hire.delivery.checks.newestResult,
    isPositive: hire.acceptance?.positive ?? false,
  };
}

export const provesSkills = (hire: KnownHire): boolean => hasDelivery(hire) && isProof(proofOf(hire));

/** `skills` and `proves` of an event that changes the proof. */
export const proofAfter = (hire: KnownHire, change: Partial<Proof>) => proofFields(hire, hasDelivery(hire), change);

/** Rechecks of the version before count until the new one is read. */
export const proofOfDelivery = (hire: KnownHire) => proofFields(hire, true, { isPositive: false });

function proofFields(hire: KnownHire, isDelivered: boolean, change: Partial<Proof>) {
  const after = isDelivered && isProof({ ...proofOf(hire), ...change });
  return { skills: hire.skills, proves: after === provesSkills(hire) ? null : after };
}
