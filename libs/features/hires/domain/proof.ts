import { resolvePosterId } from '#libs/kernel/system-account.js';
import { hasDelivery, type KnownHire, type Recheck } from './hire.js';

/** The facts that decide whether a delivered hire proves the skills of its role. */
interface Proof {
  /** By its poster. A dispute of the worker takes no skill away. */
  readonly isDisputed: boolean;
  /** Result of the newest recheck of the newest delivery; null before the first. */
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
    newestResult: hire.delivery.newestResult,
    isPositive: hire.acceptance?.positive ?? false,
  };
}

/** Whether a hire proves the skills of its role. */
export const provesSkills = (hire: KnownHire): boolean => hasDelivery(hire) && isProof(proofOf(hire));

/** The skills and `proves` of an event after which something about the proof is different. */
export const proofAfter = (hire: KnownHire, change: Partial<Proof>) => proofFields(hire, hasDelivery(hire), change);

/** As `proofAfter`, of a new delivery. */
export const proofOfDelivery = (hire: KnownHire) => proofFields(hire, true, UNCHECKED);

function proofFields(hire: KnownHire, isDelivered: boolean, change: Partial<Proof>) {
  const after = isDelivered && isProof({ ...proofOf(hire), ...change });
  return { skills: hire.skills, proves: after === provesSkills(hire) ? null : after };
}
