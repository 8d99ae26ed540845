import type { ReadModels } from '#libs/documents/read-models.js';
import { getById } from '#libs/documents/get-many.js';
import { NO_WALLET, type PayPauses } from '#libs/domain/pay-pauses.js';
import { PayPausesOfMuses } from '#libs/features/identity/views/pay-pauses.js';
import { type PayParties, payStateAt, payTerm } from '#libs/features/hires/domain/pay-term.js';
import type { HireDocument } from './hires.js';
import { factsOf, type PayTermDocument, PayTerms } from './pay-terms.js';

type PartyIds = Pick<PayTermDocument, 'poster' | 'worker'>;

/** Reads the stops of both parties, and of the later identities that act for them. */
export async function loadPayParties(
  models: Pick<ReadModels, 'of'>,
  terms: readonly PartyIds[],
): Promise<(term: PartyIds) => PayParties> {
  const first = await getById(
    models.of(PayPausesOfMuses),
    terms.flatMap(({ poster, worker }) => [poster, worker]),
  );
  const linked = [...first.values()].flatMap(({ linked }) => (linked ? [linked.to] : []));
  const later = linked.length === 0 ? new Map<string, PayPauses>() : await getById(models.of(PayPausesOfMuses), linked);
  const partyOf = (id: string) => {
    const muse = first.get(id) ?? NO_WALLET;
    return { muse, ...(muse.linked && { later: later.get(muse.linked.to) ?? NO_WALLET }) };
  };
  return ({ poster, worker }) => ({ poster: partyOf(poster), worker: partyOf(worker) });
}

export type PayState = ReturnType<typeof payStateAt>;

/** State of a hire without a term. */
export const NO_TERM: PayState = { due_at: null, overdue: false, paid_on_time: null };

/** `now` is unix ms. */
export async function payStatesOf(
  models: Pick<ReadModels, 'of'>,
  terms: readonly PayTermDocument[],
  now: number,
): Promise<(term: PayTermDocument) => PayState> {
  const partiesFor = await loadPayParties(models, terms);
  return document => {
    const facts = factsOf(document);
    return payStateAt(facts, payTerm(facts, partiesFor(document)), now);
  };
}

/** The states of the hires that have a term. */
export async function loadPayStates(
  models: Pick<ReadModels, 'of'>,
  hires: readonly HireDocument[],
  now: number,
): Promise<(hire: Pick<HireDocument, 'hire'>) => PayState> {
  const ids = hires.filter(({ pay_within_days }) => pay_within_days !== null).map(({ hire }) => String(hire));
  if (ids.length === 0) return () => NO_TERM;
  const documents = await getById(models.of(PayTerms), ids);
  const stateOf = await payStatesOf(models, [...documents.values()], now);
  return ({ hire }) => {
    const document = documents.get(String(hire));
    return document ? stateOf(document) : NO_TERM;
  };
}
