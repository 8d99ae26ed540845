import type { Journal } from '#libs/event-log/journal.js';
import { unlessUnreadable } from '#libs/event-log/unreadable.js';
import type { Position } from '#libs/kernel/event.js';
import type { Source } from '#libs/kernel/decide.js';
import { is } from '#libs/domain/define.js';
import { isKnown, Joined, Muse } from '#libs/domain/muse.js';
import type { ReplayedDecision } from '#libs/endpoints/decision.js';
import { referrerOf } from './referrer.js';

/** How many are looked at of those who brought one another; whoever closes a longer ring is counted. */
const RING_MAX = 32;

interface Named {
  readonly referred_by?: string | undefined;
}

/** Whether a newcomer has brought the one who brings it, through however many: asks for each of these in turn. */
function* closesRing(newcomer: string, referrer: Source<Muse>): Generator<Source<Muse>, boolean, Muse> {
  let asked = referrer;
  for (let looked = 0; looked < RING_MAX; looked += 1) {
    const muse = yield asked;
    if (!isKnown(muse) || muse.recruiter === null) return false;
    if (muse.recruiter === newcomer) return true;
    asked = Muse.of(muse.recruiter);
  }
  return false;
}

/** Nobody's stream stands in a newcomer's way; of who joins again, or has said before who brought it, none is looked at. */
export async function isRing({ referred_by }: Named, muse: string, journal: Journal, asOf?: Position) {
  const referrer = referrerOf(referred_by, muse);
  if (!referrer) return false;
  const { state: own } = await journal.load(Muse.of(muse), asOf);
  if (own.status !== 'registered' || own.recruiter !== null) return false;
  const looks = closesRing(muse, referrer);
  let look = looks.next();
  while (!look.done) look = looks.next((await unlessUnreadable(journal.load(look.value, asOf)))?.state ?? Muse.initial);
  return look.value;
}

/** Who brought somebody never changes: where a referrer was left out for a ring, the ring stands for ever. */
export function wasRing({ referred_by }: Named, { event, byNow }: ReplayedDecision): boolean {
  const referrer = referrerOf(referred_by, event.actor);
  if (!referrer || !is(Joined, event) || event.data.referred_by !== null) return false;
  const looks = closesRing(event.actor, referrer);
  let look = looks.next();
  while (!look.done) look = looks.next(byNow(look.value.stream, look.value.entity));
  return look.value;
}
