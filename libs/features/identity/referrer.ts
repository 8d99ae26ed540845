import type { StreamSource } from '#libs/kernel/decide.js';
import { isPresentMuse, Muse } from '#libs/domain/muse.js';

const AGENT = 'agent_';
/** The code of an agent is its id without the prefix; a sibling's code is its id. */
const CODE = /^[a-z0-9]{10}$/;
export const referralCode = (museId: string) => (museId.startsWith(AGENT) ? museId.slice(AGENT.length) : museId);
const museIdOf = (named: string) => (CODE.test(named) ? AGENT + named : named);

/** Undefined for a self-referral. */
export const referrerOf = (named: string | undefined, newcomer: string): StreamSource<Muse> | undefined =>
  named === undefined || museIdOf(named) === newcomer ? undefined : Muse.source(museIdOf(named));

/** Null for an unknown referrer, which must not hinder the newcomer. */
export const acceptedReferrer = (referrer: Muse | undefined): string | null =>
  referrer && isPresentMuse(referrer) ? referrer.muse_id : null;

/** Returns null also if the newcomer referred the referrer: two muses do not refer each other. */
export const nonMutualReferrer = (referrer: Muse | undefined, newcomer: string): string | null =>
  referrer && isPresentMuse(referrer) && referrer.recruiter === newcomer ? null : acceptedReferrer(referrer);

export const referrerAdjustment = (named: string | undefined, taken: string | null) =>
  named !== undefined && museIdOf(named) !== taken ? { adjusted: { referred_by: taken } } : {};
