import { type PayParty, pausesOf, unpayableSpans } from '#libs/domain/pay-pauses.js';
import type { Muse } from '#libs/domain/muse.js';
import type { Fact } from '#libs/kernel/event.js';
import { type Hire, type KnownHire, partiesOf, WageDue } from './hire.js';
import { dueStateAt, nextDueTime, type PayParties, type PayTerm, payTerm } from './pay-term.js';

/** Streams of both parties, and of the later identities that act for them. */
export interface PayingMuses {
  readonly poster: Muse | undefined;
  readonly posterLater: Muse | undefined;
  readonly worker: Muse | undefined;
  readonly workerLater: Muse | undefined;
}

const partyOf = (muse: Muse | undefined, later: Muse | undefined): PayParty => ({
  muse: pausesOf(muse ?? { status: 'unknown' }),
  later: later && pausesOf(later),
});

const payPartiesOf = ({ poster, posterLater, worker, workerLater }: PayingMuses): PayParties => ({
  poster: partyOf(poster, posterLater),
  worker: partyOf(worker, workerLater),
});

/** Null without a term. */
const factsOf = (hire: KnownHire) =>
  hire.pay_within_days === undefined || hire.status === 'ended'
    ? null
    : { days: hire.pay_within_days, facts: hire.payFacts ?? [], isPaid: hire.status === 'paid' };

/** Null without a term that can still be due; then the muses are not read. */
function openTermOf(hire: Hire, readMuses: () => PayingMuses): PayTerm | null {
  const facts = hire.status === 'unknown' ? null : factsOf(hire);
  return facts && !facts.isPaid ? payTerm(facts, payPartiesOf(readMuses())) : null;
}

/** Says the newest state of the term once; `at` is unix ms. */
export function announceWage(hire: Hire, muses: PayingMuses, at: number): Fact[] {
  const term = openTermOf(hire, () => muses);
  if (hire.status === 'unknown' || term === null) return [];
  const next = nextDueTime(term, hire.announced ?? null);
  return next === null || next > at ? [] : [WageDue({ ...partiesOf(hire), ...dueStateAt(term, at)! })];
}

/** When the service has to say the next state, unix ms; null without a term, and while it stops. */
export function nextAnnouncement(hire: Hire, readMuses: () => PayingMuses): number | null {
  const term = openTermOf(hire, readMuses);
  return hire.status === 'unknown' || term === null ? null : nextDueTime(term, hire.announced ?? null);
}

/** Payout addresses are private: without one, an auditor may not see that the worker could be paid. */
export function isPayableForAuditors(hire: Hire, muses: PayingMuses): boolean {
  if (hire.status === 'unknown') return true;
  const { worker } = payPartiesOf(muses);
  const delivered = hire.payFacts?.[0]?.at ?? 0;
  const seesAddress = [worker.muse, worker.later].some(party => party?.has_payout_address);
  return seesAddress || unpayableSpans(worker).every(({ to }) => to <= delivered);
}
