import { hasEndedWithoutEffect, Payment } from '#libs/domain/payment.js';
import { coveredAt, Spending, SpendingCounted, type SpentPayment, spentSince, sumOf } from '#libs/domain/spending.js';
import { OwnerRefusal } from '#libs/domain/token-scope.js';
import { RevisionConflict } from '#libs/event-log/event-log.port.js';
import { newEvents } from '#libs/event-log/execute-command.js';
import type { Journal } from '#libs/event-log/journal.js';
import { SECOND_MS } from '#libs/kernel/clock.js';
import type { CommandContext } from '#libs/kernel/decide.js';
import { formatDecisionKey } from '#libs/kernel/ids.js';
import { formatUsdAmount } from '#libs/kernel/money.js';
import { Refusal } from '#libs/kernel/refusal.js';
import { acceptedEvent, type PaymentStream } from './ledger.js';

export const OVER_LIMIT = 'over_limit';
const ATTEMPTS_MAX = 20;

/** Payments that still count: those that failed are left out. */
export async function loadSpent(journal: Journal, museId: string, account: string, now: number) {
  const { state } = await journal.load(Spending.source(museId, account));
  return withoutFailed(journal, spentSince(state, now));
}

async function withoutFailed(journal: Journal, spent: readonly SpentPayment[]): Promise<SpentPayment[]> {
  const states = await Promise.all(spent.map(({ payment }) => journal.load(Payment.source(payment))));
  return spent.filter((_counted, n) => !hasEndedWithoutEffect(states[n]!.state));
}

/** Throws 403 `over_limit` if the token of the request may not spend the amount now. */
export async function assertWithinLimit(
  journal: Journal,
  { actor, at, spending: account }: CommandContext,
  endpoint: string,
  amount: bigint,
): Promise<void> {
  if (!account) return;
  const limit = BigInt(account.limit);
  const { state } = await journal.load(Spending.source(actor, account.account));
  const counted = spentSince(state, at);
  if (sumOf(counted) + amount <= limit) return;
  const spent = await withoutFailed(journal, counted);
  if (sumOf(spent) + amount <= limit) return;
  const usd = formatUsdAmount(amount);
  throw new OwnerRefusal(
    OVER_LIMIT,
    `This costs ${usd} USD. The token may spend ${formatUsdAmount(limit)} USD in 24 hours and has spent ` +
      `${formatUsdAmount(sumOf(spent))}.`,
    { retryAfter: Math.ceil((coveredAt(spent, amount, limit, at) - at) / SECOND_MS) },
    { muse_id: actor, account: account.account, command: endpoint, usd },
  );
}

/**
 * Counts an accepted payment of a token with a sum, once. Returns false if the sum does not cover it. The append at the
 * revision that was read lets concurrent payments see each other.
 */
export async function countSpending(
  journal: Journal,
  payment: PaymentStream,
  context: CommandContext,
): Promise<boolean> {
  const accepted = acceptedEvent(payment);
  const { payment: id, muse_id, amount, spending: account } = accepted.data;
  if (!account) return true;
  const source = Spending.source(muse_id, account.account);
  for (let attempt = 1; attempt <= ATTEMPTS_MAX; attempt += 1) {
    const loaded = await journal.load(source);
    if (loaded.state.has(id)) return true;
    const counted = spentSince(loaded.state, accepted.at);
    const covers = (spent: readonly SpentPayment[]) => sumOf(spent) + BigInt(amount) <= BigInt(account.limit);
    if (!covers(counted) && !covers(await withoutFailed(journal, counted))) return false;
    const decidedBy = 'count-spending@1';
    const authorization = { mode: 'service', reason: 'a payment of a token with a daily sum' } as const;
    const requestKey = formatDecisionKey(context.cause, decidedBy);
    const fact = SpendingCounted({ muse_id, ...account, payment: id, amount });
    const events = newEvents([fact], loaded.stream, { ...context, requestKey, decidedBy, authorization });
    try {
      await journal.append(loaded.stream, loaded.revision, events, context);
      return true;
    } catch (error) {
      if (!(error instanceof RevisionConflict)) throw error;
    }
  }
  throw new Refusal('busy', 'Too many payments of one token compete. Try again in a second.', { retryAfter: 1 });
}
