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
const EXPIRES_DEFAULT_MS = 30 * DAY_MS;
const EXPIRES_MAX_MS = 180 * DAY_MS;

export const EXAMPLE_ROLE = 'job-123456789012';

const done = mapValidator(
  textValidator({
    schema: { type: 'string', maxLength: DONE_CHARACTERS_MAX, description: `At least ${DONE_WORDS_MIN} words` },
    accepts: value =>
      c.countCodePoints(value) <= DONE_CHARACTERS_MAX &&
      value.trim().split(/\s+/).length >= DONE_WORDS_MIN &&
      !c.hasControlCharacters(value),
    expectation: `one line of at least ${DONE_WORDS_MIN} words and at most ${DONE_CHARACTERS_MAX} characters`,
    fault: c.classifyTextFault(DONE_CHARACTERS_MAX, c.hasControlCharacters),
  }),
  value => value.trim(),
);

const budgetFields = {
  seats: optional(c.number(1, SEATS_MAX), 'How many are hired; 1 without it'),
  budget: optional(
    c.pattern(/^[0-9]{1,18}$/, "digits: the token's smallest unit, for each seat"),
    'What a seat pays, in the token’s smallest unit',
  ),
  budget_usd: optional(
    c.pattern(/^[0-9]{1,12}(\.[0-9]{1,6})?$/, 'a decimal number with at most 6 places, for each seat'),
    'What a seat pays, in US dollars',
  ),
  rail: optional(
    c.oneOf(...RAILS.map(({ name }) => name)),
    `What is paid on; ${DEFAULT_RAIL} without it, or what else the service settles on`,
  ),
};

export const jobFields = {
  ...budgetFields,
  title: needed(c.trimmedLine({ min: 2, max: TITLE_CHARACTERS_MAX }), 'What is to be done'),
  summary: needed(c.trimmedText({ min: 20, max: 600 }), 'What it is about'),
  done: needed(done, 'What will be there when it is done'),
  skills: optional(c.skills(JOB_SKILLS_MAX), 'What one needs for it'),
  trial: optional(c.line({ max: 300 }), 'A question that every applicant answers, for the poster alone'),
  terms: optional(c.text({ max: 600 }), 'What else holds'),
  expires_at: optional(c.time, 'When it ends by itself, unix ms; in 30 days without it'),
  project: optional(c.slug, 'The project that it belongs to, which one is in'),
  again_of: optional(c.slug, 'The job that it repeats'),
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
  { budget, budget_usd, rail: named, seats = 1 }: BudgetValues,
  rails: readonly Rail[],
): Fee | null {
  if (!budget && !budget_usd) return null;
  const units = budget ? BigInt(budget) : parseUsdAmount(budget_usd!)!;
  const of = (rail: string) => rails.find(({ name }) => name === rail);
  const rail = named ? of(named) : (of(DEFAULT_RAIL) ?? rails[0]);
  const said = budget ? 'budget' : 'budget_usd';
  fieldRules(
    [!budget || !budget_usd, 'budget', 'Send budget or budget_usd, not both.', 'conflicting'],
    [units > 0n, said, `${said} must be more than zero; leave it out for a free job.`, 'out_of_range'],
    [rail !== undefined, 'rail', 'This service does not settle on that rail.', 'not_allowed'],
  );
  const { name, token, network } = rail!;
  const shown = { amount: String(units), usd: formatUsdAmount(units), token, rail: name, network };
  return { budget: shown, rail: rail!, amount: calculateFee(units, seats) };
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
