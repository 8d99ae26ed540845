import {
  Accepted,
  Delivered,
  DisputeWithdrawn,
  Disputed,
  Hired,
  HireEnded,
  Paid,
  RevisionAsked,
  WageDue,
  WageLost,
  WageStarted,
} from '#libs/features/hires/domain/hire.js';
import { addPayFact, PAY_FACT_KINDS } from '#libs/features/hires/domain/pay-facts.js';
import { nextDueTime, type PayParties, payTerm } from '#libs/features/hires/domain/pay-term.js';
import type { Event } from '#libs/kernel/event.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import * as d from '#libs/views/document-schema.js';
import { by, defineProjection, on, onExisting, removeOn } from '#libs/views/projection.js';

/** Term to pay the wage of a hire. What stops it in other streams is not in it. */
export const PayTermDocument = d.object({
  hire: d.id,
  poster: d.museId,
  worker: d.museId,
  days: d.integer,
  facts: d.list(d.object({ kind: d.oneOf(...PAY_FACT_KINDS), at: d.time })),
  announced: d.orNull(d.object({ state: d.oneOf('due', 'soon', 'overdue'), due_at: d.time })),
  state: d.oneOf('hired', 'owed', 'paid'),
  /** Position of the event that set `state`. */
  since: d.position,
  /** When the service has to act next, if nothing in other streams stops the term; `NEVER` if it need not. */
  next: d.integer,
});
export type PayTermDocument = d.DocumentOf<typeof PayTermDocument>;

const NEVER = Number.MAX_SAFE_INTEGER;

type Term = Omit<PayTermDocument, 'next'>;

const byHire = by('hire');

export const factsOf = ({ days, facts, state }: Term) => ({ days, facts, isPaid: state === 'paid' });

/** When the service has to act next, unix ms. Null while it stops. */
export const nextOf = (term: Term, parties: PayParties | null) =>
  nextDueTime(payTerm(factsOf(term), parties), term.announced);

const withNext = (term: Term): PayTermDocument => ({ ...term, next: nextOf(term, null) ?? NEVER });

const withFact = (term: PayTermDocument, event: Event, change: Partial<Term> = {}) =>
  withNext({ ...term, facts: [...addPayFact(term.facts, event)], ...change });

export const PayTerms = defineProjection('pay_terms', PayTermDocument, {
  shape: '036a16b4',
  indexes: { byNext: ['next'], byPoster: ['poster', 'state', 'since'] },
  steps: [
    on(
      Hired,
      event => (event.data.pay_within_days === undefined ? [] : byHire(event)),
      (_term, { data, position: since }) => {
        const { hire, worker, pay_within_days } = data;
        const term = { hire, poster: resolvePosterId(data.poster), worker, days: pay_within_days! };
        return withNext({ ...term, facts: [], announced: null, state: 'hired', since });
      },
    ),
    onExisting(Delivered, byHire, (term, event) =>
      withFact(term, event, term.state === 'hired' ? { state: 'owed', since: event.position } : {}),
    ),
    ...[Accepted, RevisionAsked, Disputed, DisputeWithdrawn, WageStarted].map(type =>
      onExisting(type, byHire, (term: PayTermDocument, event) => withFact(term, event)),
    ),
    onExisting(WageDue, byHire, (term, { data: { state, due_at } }) =>
      withNext({ ...term, announced: { state, due_at } }),
    ),
    onExisting(Paid, byHire, (term, { position: since }) => withNext({ ...term, state: 'paid', since })),
    onExisting(WageLost, byHire, (term, event) => withFact(term, event, { state: 'owed', since: event.position })),
    removeOn<PayTermDocument, typeof HireEnded>(HireEnded, byHire),
  ],
});
