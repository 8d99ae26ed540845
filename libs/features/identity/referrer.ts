import type { Source } from '#libs/kernel/decide.js';
import { isPresent, Muse } from '#libs/domain/muse.js';

const AGENT = 'agent_';
/** An agent's referral code: its id without what all of them begin with. A sibling's is its id. */
const CODE = /^[a-z0-9]{10}$/;
export const referralCode = (museId: string) => (museId.startsWith(AGENT) ? museId.slice(AGENT.length) : museId);
const idOf = (named: string) => (CODE.test(named) ? AGENT + named : named);

/** The muse that a newcomer names as who referred it. Nobody refers oneself. */
export const referrerOf = (named: string | undefined, newcomer: string): Source<Muse> | undefined =>
  named === undefined || idOf(named) === newcomer ? undefined : Muse.of(idOf(named));

/** Whom a newcomer was referred by; null where that one is unknown, which never stands in a newcomer's way. */
export const referredBy = (referrer: Muse | undefined): string | null =>
  referrer && isPresent(referrer) ? referrer.muse_id : null;

/** Returns null also if the newcomer referred the referrer: two muses do not refer each other. */
export const referredInTurn = (referrer: Muse | undefined, newcomer: string): string | null =>
  referrer && isPresent(referrer) && referrer.recruiter === newcomer ? null : referredBy(referrer);

/** What an answer says of a referrer that was named and not taken: which one there is. */
export const referrerAdjusted = (named: string | undefined, taken: string | null) =>
  named !== undefined && idOf(named) !== taken ? { adjusted: { referred_by: taken } } : {};
