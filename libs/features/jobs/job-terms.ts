import { HiddenValueRefusal } from '#libs/endpoints/decision.js';
import { completeFields, pickFields, requestFields } from '#libs/domain/fields.js';
import { AGAIN, type Budget, JOB_TEXTS } from './domain/job-fields.js';
import { findUnits, toAmount, wageAmount, wageRules, wageUsd } from './domain/wage-fields.js';
import { clearable, optional, type FieldValues } from '#libs/validation/request-fields.js';
import * as c from '#libs/values/values.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { calculateFee } from '#libs/kernel/money.js';
import { fieldRule, fieldRules, rule } from '#libs/kernel/refusal.js';
import { resolvePosterId } from '#libs/kernel/system-account.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { RAILS } from '#libs/payments/rails.js';
import { type EscrowValues, escrowFields, escrowFrom } from './escrow-fields.js';
import type { Job, KnownJob } from './domain/job.js';

const SEATS_MAX = 10;
const DEFAULT_RAIL = 'usdc-base';
const EXPIRES_DEFAULT_MS = 30 * DAY_MS;
const EXPIRES_MAX_MS = 180 * DAY_MS;

export const EXAMPLE_ROLE = 'job-123456789012';

const budgetFields = {
  seats: optional(c.number(1, SEATS_MAX), 'Number of seats; default 1'),
  budget: clearable(wageAmount, 'The wage per seat, in the smallest unit of the token'),
  budget_usd: clearable(wageUsd, 'The wage per seat, in US dollars'),
  rail: optional(
    c.oneOf(...RAILS.map(({ name }) => name)),
    `The rail of the fee and the wages; default ${DEFAULT_RAIL}, or another rail that the service settles on`,
  ),
};

export const jobFields = {
  ...budgetFields,
  ...escrowFields,
  ...requestFields(JOB_TEXTS),
  expires_at: optional(c.time, 'When the job expires, unix ms; default in 30 days'),
  project: optional(c.slug, 'The project of the job; you must be a member'),
  [AGAIN]: optional(
    c.slug,
    'The job of yours that this one repeats: it gives each term that you leave out, but `project` and `expires_at`. An ' +
      'empty text removes an optional term',
  ),
} as const;

export const PRICED_BY = [...Object.keys({ ...budgetFields, ...escrowFields }), AGAIN];

export type BudgetValues = FieldValues<typeof budgetFields>;
export type PricedValues = BudgetValues & EscrowValues & Pick<JobValues, 'again_of'>;
type JobTexts = Required<Pick<FieldValues<typeof jobFields>, 'title' | 'summary' | 'done'>>;
export type JobValues = FieldValues<typeof jobFields>;
export type CompleteJobValues = JobValues & JobTexts;

export const termsOf = (values: CompleteJobValues) => ({
  ...completeFields(JOB_TEXTS, values),
  seats: values.seats ?? 1,
});

/** Adds what the fee depends on. */
export const addPriced = (values: PricedValues, again: KnownJob): PricedValues => ({
  ...escrowFrom(again.escrow, values),
  ...values,
  ...budgetFrom(again, values),
});

/** Whether the earlier job decides about the wage. */
export const takesBudget = (values: BudgetValues & Pick<JobValues, 'again_of'>): boolean =>
  values.again_of !== undefined && hasNoBudget(values);

const hasNoBudget = ({ budget, budget_usd }: BudgetValues) => budget === undefined && budget_usd === undefined;

/** Adds the terms of the earlier job that the request leaves out. Null if they contain an erased text. */
export function addTerms(values: JobValues, again: KnownJob): CompleteJobValues | null {
  const texts = pickFields(JOB_TEXTS, again.terms);
  const completed = { ...texts, ...escrowFrom(again.escrow, values), ...values, ...budgetFrom(again, values) };
  // The hours of the earlier job do not fit an escrow that the request adds.
  if (completed.escrow && values.deliver_hours === undefined) completed.deliver_hours = null;
  const hasTerm = !completed.escrow && Boolean(completed.budget ?? completed.budget_usd);
  if (!hasTerm && values.pay_within_days === undefined) completed.pay_within_days = null;
  const hasTexts = completed.title !== null && completed.summary !== null && completed.done !== null;
  return hasTexts ? (completed as CompleteJobValues) : null;
}

export function completeJob(
  values: JobValues,
  again: Job | undefined,
  identities: readonly string[],
): CompleteJobValues {
  // The checks of the fields let texts be left out only beside `again_of`.
  if (again === undefined || again.status === 'unknown') return values as CompleteJobValues;
  const isOwn = identities.includes(resolvePosterId(again.poster));
  rule(isOwn, 'not_the_poster', '`again_of` must name one of your own jobs.', { field: 'again_of' });
  const completed = addTerms(values, again);
  const sentence = 'The texts of the job in `again_of` were erased: send `title`, `summary` and `done`.';
  if (completed === null) throw new HiddenValueRefusal('texts_erased', sentence, { field: 'again_of' });
  return completed;
}

/** The fields that state the wage of a job, as far as the request leaves them out. */
export function budgetFrom({ terms: { budget, seats } }: KnownJob, values: BudgetValues) {
  const rail = values.rail ?? budget?.rail;
  const taken = hasNoBudget(values) && budget !== null;
  return {
    seats: values.seats ?? seats,
    ...(taken && { budget: budget.amount }),
    ...(rail !== undefined && { rail: rail as NonNullable<BudgetValues['rail']> }),
  };
}

export interface Fee {
  readonly budget: Budget;
  readonly amount: bigint;
  readonly rail: Rail;
}

/**
 * The budget of one seat and the fee for all seats, on the job's rail; null for a free job. Throws a 400 for both
 * fields or zero.
 */
export function feeOf({ rail: railName, seats = 1, ...values }: BudgetValues, rails: readonly Rail[]): Fee | null {
  const units = findUnits('budget', values);
  if (units === null) return null;
  const findRail = (rail: string) => rails.find(({ name }) => name === rail);
  const rail = railName ? findRail(railName) : (findRail(DEFAULT_RAIL) ?? rails[0]);
  fieldRules(...wageRules('budget', values, units, ' Leave it out for a free job.'), [
    rail !== undefined,
    'rail',
    '`rail` must be a rail on which this service settles.',
    'not_allowed',
  ]);
  const { name, token, network } = rail!;
  const seatBudget = { ...toAmount(units), token, rail: name, network };
  return { budget: seatBudget, rail: rail!, amount: calculateFee(units, seats) };
}

/** Unix ms. */
export function expiryOf(expiresAt: number | undefined, now: number): number {
  if (expiresAt === undefined) return now + EXPIRES_DEFAULT_MS;
  fieldRule(
    expiresAt > now && expiresAt <= now + EXPIRES_MAX_MS,
    'expires_at',
    '`expires_at` must be in the future, at most 180 days ahead.',
    'out_of_range',
  );
  return expiresAt;
}
