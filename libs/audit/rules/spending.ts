import { isDeepStrictEqual } from 'node:util';
import { getBearerTokenHint } from '#libs/domain/access-ends.js';
import type { EventOf } from '#libs/domain/define.js';
import { Muse } from '#libs/domain/muse.js';
import { hasEndedWithoutEffect, type PaymentAccepted } from '#libs/domain/payment.js';
import { Spending, SpendingCounted, spentSince, sumOf } from '#libs/domain/spending.js';
import { findTokenLimits, spendingLimitOf } from '#libs/domain/token-scope.js';
import { ifReplayable } from '#libs/endpoints/decision.js';
import type { AuditState } from './audit-state.js';
import { failedConditions, inStream, ruleFor } from './rule.js';

/** Whether a payment names the sum of the token that authorized it. */
export function namesItsLimit(
  { actor, authorization, based_on, data }: EventOf<typeof PaymentAccepted>,
  { history }: AuditState,
): boolean {
  const stream = Muse.streamName(actor);
  return ifReplayable(true, () => {
    const muse = history.stateAt(stream, based_on[stream] ?? -1, Muse);
    return isDeepStrictEqual(data.spending, spendingLimitOf(findTokenLimits(muse, getBearerTokenHint(authorization))));
  });
}

/** Whether the payment of a token with a sum was counted before it is sent. */
export function isCounted({ data, actor }: EventOf<typeof PaymentAccepted>, { history }: AuditState): boolean {
  if (!data.spending) return true;
  return history.latestState(Spending.streamName(actor, data.spending.account), Spending).has(data.payment);
}

function checkCounted(event: EventOf<typeof SpendingCounted>, facts: AuditState): string[] {
  const { muse_id, account, payment, amount, limit } = event.data;
  const stream = Spending.streamName(muse_id, account);
  const state = facts.payment(payment);
  const accepted = state.status === 'unknown' ? null : state.accepted;
  const counted = facts.history.latestState(stream, Spending);
  const spent = spentSince(counted, event.at).filter(each => !hasEndedWithoutEffect(facts.payment(each.payment)));
  return failedConditions(
    inStream(event, stream),
    [accepted !== null, 'The payment that it counts was not accepted.'],
    [accepted?.data.amount === amount && accepted.at === event.at, 'Its amount or time differs from its payment.'],
    [isDeepStrictEqual(accepted?.data.spending, { account, limit }), 'Its account or limit differs from its payment.'],
    [!counted.has(payment), 'The payment had been counted before.'],
    [sumOf(spent) + BigInt(amount) <= BigInt(limit), `The token had already spent ${sumOf(spent)} of ${limit}.`],
  );
}

export const SPENDING_RULES = [ruleFor(SpendingCounted, checkCounted)];
