import type { StreamSource } from '#libs/kernel/decide.js';
import { isPresentMuse, Muse } from '#libs/domain/muse.js';

const AGENT = 'agent_';
/** The code of an agent is its id without the prefix; a sibling's code is its id. */
const CODE = /^[a-z0-9]{10}$/;
export const referralCode = (museId: string) => (museId.startsWith(AGENT) ? museId.slice(AGENT.length) : museId);
const museIdOf = (reference: string) => (CODE.test(reference) ? AGENT + reference : reference);

/** Undefined for a self-referral. */
export const referrerOf = (reference: string | undefined, newcomer: string): StreamSource<Muse> | undefined =>
  reference === undefined || museIdOf(reference) === newcomer ? undefined : Muse.source(museIdOf(reference));

/** Null for an unknown referrer, which must not block the newcomer. */
export const acceptedReferrer = (referrer: Muse | undefined): string | null =>
  referrer && isPresentMuse(referrer) ? referrer.muse_id : null;

/** Returns null also if the newcomer referred the referrer: two muses do not refer each other. */
export const nonMutualReferrer = (referrer: Muse | undefined, newcomer: string): string | null =>
  referrer && isPresentMuse(referrer) && referrer.recruiter === newcomer ? null : acceptedReferrer(referrer);

export const referrerAdjustment = (reference: string | undefined, referredBy: string | null) =>
  reference !== undefined && museIdOf(reference) !== referredBy ? { adjusted: { referred_by: referredBy } } : {};
