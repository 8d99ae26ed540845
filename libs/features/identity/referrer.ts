import { isEventOf } from '#libs/domain/define.js';
import { isKnownMuse, isPresentMuse, Joined, Muse } from '#libs/domain/muse.js';
import type { ReplayedDecision } from '#libs/endpoints/decision.js';
import type { Journal } from '#libs/event-log/journal.js';
import { skipUnreadable } from '#libs/event-log/unreadable-event.js';
import type { StreamSource } from '#libs/kernel/decide.js';
import type { Position } from '#libs/kernel/event.js';

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

export type Adjustments = { readonly [field: string]: string | null };

export const referrerAdjustment = (reference: string | undefined, referredBy: string | null): Adjustments =>
  reference !== undefined && museIdOf(reference) !== referredBy ? { referred_by: referredBy } : {};

/** Maximum length of the checked chain; a longer ring is not detected. */
const RING_MAX = 32;

interface ReferralFields {
  readonly referred_by?: string | undefined;
}

/** Generates the muses to load, following `recruiter`; returns true if the newcomer is among them. */
function* closesRing(newcomer: string, referrer: StreamSource<Muse>): Generator<StreamSource<Muse>, boolean, Muse> {
  let source = referrer;
  for (let depth = 0; depth < RING_MAX; depth += 1) {
    const muse = yield source;
    if (!isKnownMuse(muse) || muse.recruiter === null) return false;
    if (muse.recruiter === newcomer) return true;
    source = Muse.source(muse.recruiter);
  }
  return false;
}

/** Only checks first referrals. An unreadable stream does not block a newcomer. */
export async function isRing({ referred_by }: ReferralFields, muse: string, journal: Journal, asOf?: Position) {
  const referrer = referrerOf(referred_by, muse);
  if (!referrer) return false;
  const { state: newcomer } = await journal.load(Muse.source(muse), asOf);
  if (newcomer.status !== 'registered' || newcomer.recruiter !== null) return false;
  const search = closesRing(muse, referrer);
  let step = search.next();
  while (!step.done) step = search.next((await skipUnreadable(journal.load(step.value, asOf)))?.state ?? Muse.initial);
  return step.value;
}

/** `recruiter` never changes, so a replay can check the ring against the current states. */
export function isRecordedRing({ referred_by }: ReferralFields, { event, currentState }: ReplayedDecision): boolean {
  const referrer = referrerOf(referred_by, event.actor);
  if (!referrer || !isEventOf(Joined, event) || event.data.referred_by !== null) return false;
  const search = closesRing(event.actor, referrer);
  let step = search.next();
  while (!step.done) step = search.next(currentState(step.value.stream, step.value.entity));
  return step.value;
}
