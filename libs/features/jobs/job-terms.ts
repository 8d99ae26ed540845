import { textValidator, mapValidator } from '#libs/validation/field-validator.js';
import { needed, optional, type FieldValues } from '#libs/validation/request-fields.js';
import * as c from '#libs/validation/validators.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { calculateFee, parseUsdAmount, formatUsdAmount } from '#libs/kernel/money.js';
import { fieldRule, fieldRules } from '#libs/kernel/refusal.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { RAILS } from '#libs/payments/rails.js';
import type { Budget } from '#libs/features/jobs/domain/job.js';

const SEATS_MAX = 10;
const JOB_SKILLS_MAX = 5;
const DEFAULT_RAIL = 'usdc-base';
const DONE_WORDS_MIN = 3;
export const TITLE_CHARACTERS_MAX = 80;
export const DONE_CHARACTERS_MAX = 200;
export const DONE_RULE = `one line of at least ${DONE_WORDS_MIN} words and at most ${DONE_CHARACTERS_MAX} characters`;
const EXPIRES_DEFAULT_MS = 30 * DAY_MS;
const EXPIRES_MAX_MS = 180 * DAY_MS;

export const EXAMPLE_ROLE = 'job-123456789012';

const done = mapValidator(
  textValidator({
    schema: { type: 'string', maxLength: DONE_CHARACTERS_MAX },
    accepts: value =>
      c.countCodePoints(value) <= DONE_CHARACTERS_MAX &&
      value.trim().split(/\s+/).length >= DONE_WORDS_MIN &&
      !c.hasControlCharacters(value),
    expectation: DONE_RULE,
    fault: c.classifyTextFault(DONE_CHARACTERS_MAX, c.hasControlCharacters),
  }),
  value => value.trim(),
);

const budgetFields = {
  seats: optional(c.number(1, SEATS_MAX), 'Number of seats; default 1'),
  budget: optional(
    c.pattern(/^[0-9]{1,18}$/, "digits: the wage per seat in the token's smallest unit"),
    'The wage per seat, in the smallest unit of the token',
  ),
  budget_usd: optional(
    c.pattern(/^[0-9]{1,12}(\.[0-9]{1,6})?$/, 'a decimal number with at most 6 places: the wage per seat'),
    'The wage per seat, in US dollars',
  ),
  rail: optional(
    c.oneOf(...RAILS.map(({ name }) => name)),
    `The rail of the fee and the wages; default ${DEFAULT_RAIL}, or another rail that the service settles on`,
  ),
};

export const jobFields = {
  ...budgetFields,
  title: needed(c.trimmedLine({ min: 2, max: TITLE_CHARACTERS_MAX }), 'The title of the job'),
  summary: needed(c.trimmedText({ min: 20, max: 600 }), 'A description of the job'),
  done: needed(done, `What exists when the job is done: ${DONE_RULE}`),
  skills: optional(c.skills(JOB_SKILLS_MAX), 'The required skills'),
  trial: optional(c.line({ max: 300 }), 'A question that every applicant must answer; only you can read the answers'),
  terms: optional(c.text({ max: 600 }), 'Further conditions'),
  expires_at: optional(c.time, 'When the job expires, unix ms; default in 30 days'),
  project: optional(c.slug, 'The project of the job; you must be a member'),
  again_of: optional(c.slug, 'The job that this one repeats'),
};

export const PRICED_BY = Object.keys(budgetFields);

export type BudgetValues = FieldValues<typeof budgetFields>;
export type JobValues = FieldValues<typeof jobFields>;

export function termsOf({ title, summary, done, trial, terms, skills = [], seats = 1 }: JobValues) {
  return { title, summary, done, trial: trial ?? null, terms: terms ?? null, skills, seats };
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
export function feeOf(
  { budget, budget_usd, rail: railName, seats = 1 }: BudgetValues,
  rails: readonly Rail[],
): Fee | null {
  if (!budget && !budget_usd) return null;
  const units = budget ? BigInt(budget) : parseUsdAmount(budget_usd!)!;
  const findRail = (rail: string) => rails.find(({ name }) => name === rail);
  const rail = railName ? findRail(railName) : (findRail(DEFAULT_RAIL) ?? rails[0]);
  const field = budget ? 'budget' : 'budget_usd';
  fieldRules(
    [!budget || !budget_usd, 'budget', 'Send budget or budget_usd, not both.', 'conflicting'],
    [units > 0n, field, `${field} must be more than zero. Leave it out for a free job.`, 'out_of_range'],
    [rail !== undefined, 'rail', 'This service does not settle on this rail.', 'not_allowed'],
  );
  const { name, token, network } = rail!;
  const seatBudget = { amount: String(units), usd: formatUsdAmount(units), token, rail: name, network };
  return { budget: seatBudget, rail: rail!, amount: calculateFee(units, seats) };
}

/** Unix ms. */
export function expiryOf(expiresAt: number | undefined, now: number): number {
  if (expiresAt === undefined) return now + EXPIRES_DEFAULT_MS;
  fieldRule(
    expiresAt > now && expiresAt <= now + EXPIRES_MAX_MS,
    'expires_at',
    'expires_at must be in the future, at most 180 days ahead.',
    'out_of_range',
  );
  return expiresAt;
}
