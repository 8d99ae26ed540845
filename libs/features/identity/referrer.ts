import type { StreamSource } from '#libs/kernel/decide.js';
import { isPresentMuse, Muse } from '#libs/domain/muse.js';

const AGENT = 'agent_';
/** An agent's referral code: its id without what all of them begin with. A sibling's is its id. */
const CODE = /^[a-z0-9]{10}$/;
export const referralCode = (museId: string) => (museId.startsWith(AGENT) ? museId.slice(AGENT.length) : museId);
const museIdOf = (named: string) => (CODE.test(named) ? AGENT + named : named);

/** The muse that a newcomer names as who referred it. Nobody refers oneself. */
export const referrerOf = (named: string | undefined, newcomer: string): StreamSource<Muse> | undefined =>
  named === undefined || museIdOf(named) === newcomer ? undefined : Muse.source(museIdOf(named));

/** Whom a newcomer was referred by; null where that one is unknown, which never stands in a newcomer's way. */
export const acceptedReferrer = (referrer: Muse | undefined): string | null =>
  referrer && isPresentMuse(referrer) ? referrer.muse_id : null;

/** Returns null also if the newcomer referred the referrer: two muses do not refer each other. */
export const nonMutualReferrer = (referrer: Muse | undefined, newcomer: string): string | null =>
  referrer && isPresentMuse(referrer) && referrer.recruiter === newcomer ? null : acceptedReferrer(referrer);

/** What an answer says of a referrer that was named and not taken: which one there is. */
export const referrerAdjustment = (named: string | undefined, taken: string | null) =>
  named !== undefined && museIdOf(named) !== taken ? { adjusted: { referred_by: taken } } : {};
