import { fieldRule } from '#libs/kernel/refusal.js';
import { type Budget, PAY_WITHIN_DAYS } from './domain/job-fields.js';

interface TermValues {
  readonly pay_within_days?: number | null;
  readonly escrow?: boolean | null;
}

/** Days to pay a wage; none for a free job, and for an escrow, which pays after its review. */
export function payTermOf({ pay_within_days = null, escrow }: TermValues, budget: Budget | null) {
  const isUnset = pay_within_days === null;
  fieldRule(isUnset || budget !== null, 'pay_within_days', '`pay_within_days` needs a `budget`.', 'not_allowed');
  const sentence = 'A job with `escrow` has `review_days` instead of `pay_within_days`.';
  fieldRule(isUnset || !escrow, 'pay_within_days', sentence, 'conflicting');
  return { pay_within_days: budget === null || escrow ? null : (pay_within_days ?? PAY_WITHIN_DAYS.standard) };
}
