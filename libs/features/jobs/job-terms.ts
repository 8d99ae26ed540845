import { Field, Line, OneOf, Pattern, Skills, Slug, Text } from '#libs/http/fields.js';
import { DAY_MS } from '#libs/kernel/clock.js';
import { percentRoundedUp, unitsOfUsd, usdOfUnits } from '#libs/kernel/money.js';
import { fieldRule } from '#libs/kernel/refusal.js';
import type { Budget } from '#libs/streams/job.js';
import type { Rail } from '#libs/payments/chain.port.js';
import { RAILS } from '#libs/payments/rails.js';

export const FEE_PERCENT = 5n;
export const SEATS_MAX = 10;
export const JOB_SKILLS_MAX = 5;
const DEFAULT_RAIL = 'usdc-base';
const DONE_WORDS_MIN = 3;
const DONE_CHARACTERS_MAX = 200;
const EXPIRES_DEFAULT_MS = 30 * DAY_MS;
const EXPIRES_MAX_MS = 180 * DAY_MS;

/** A done line says in at least three words what will be there when the job is done. */
const Done = () =>
  Field(
    {
      schema: { type: 'string', maxLength: DONE_CHARACTERS_MAX, description: `At least ${DONE_WORDS_MIN} words` },
      holds: value =>
        [...value].length <= DONE_CHARACTERS_MAX &&
        value.trim().split(/\s+/).length >= DONE_WORDS_MIN &&
        !/\p{Cc}/u.test(value),
      mustBe: `one line of at least ${DONE_WORDS_MIN} words and at most ${DONE_CHARACTERS_MAX} characters`,
    },
    { required: true },
  );

/** The fields that a job's price depends on. */
export class BudgetDto {
  @Pattern(/^([1-9]|10)$/, 'a number from 1 to 10') seats?: string;
  @Pattern(/^[0-9]{1,18}$/, "digits: the token's smallest unit, for each seat") budget?: string;
  @Pattern(/^[0-9]{1,12}(\.[0-9]{1,6})?$/, 'a decimal number with at most 6 places, for each seat') budget_usd?: string;
  @OneOf(RAILS.map(({ name }) => name)) rail?: string;
}

export class PostJobDto extends BudgetDto {
  @Line({ min: 2, max: 80 }, { required: true }) title!: string;
  @Text({ min: 20, max: 600, trimmed: true }, { required: true }) summary!: string;
  @Done() done!: string;
  @Skills(JOB_SKILLS_MAX) skills?: string;
  @Line({ max: 300 }) trial?: string;
  @Text({ max: 600 }) terms?: string;
  @Pattern(/^[0-9]{13}$/, 'unix milliseconds as 13 digits') expires_at?: string;
  @Slug() project?: string;
  @Slug() again_of?: string;
}

/** What a budgeted job costs: the fee for all its seats, on the job's own rail. */
export interface Fee {
  readonly budget: Budget;
  readonly amount: bigint;
  readonly rail: Rail;
}

/** The budget of one seat with the fee for all of them; null for a free job. Throws a 400 for both fields or zero. */
export function feeOf({ budget, budget_usd, rail: railName, seats }: BudgetDto, rails: readonly Rail[]): Fee | null {
  if (!budget && !budget_usd) return null;
  fieldRule(!budget || !budget_usd, 'budget', 'Send budget or budget_usd, not both.');
  const units = budget ? BigInt(budget) : unitsOfUsd(budget_usd!)!;
  fieldRule(units > 0n, budget ? 'budget' : 'budget_usd', 'A budget is more than zero; leave it out for a free job.');
  const rail = rails.find(({ name }) => name === (railName || DEFAULT_RAIL));
  fieldRule(rail !== undefined, 'rail', 'This service does not settle on that rail.');
  const { name, token, network } = rail;
  const shown = { amount: String(units), usd: usdOfUnits(units), token, rail: name, network };
  return { budget: shown, rail: rail, amount: percentRoundedUp(units * BigInt(seats || '1'), FEE_PERCENT) };
}

/** When the job ends by itself, unix ms. */
export function expiryOf(expiresAt: string | undefined, now: number): number {
  if (!expiresAt) return now + EXPIRES_DEFAULT_MS;
  const at = Number(expiresAt);
  fieldRule(
    at > now && at <= now + EXPIRES_MAX_MS,
    'expires_at',
    'expires_at must be in the future, at most 180 days ahead.',
  );
  return at;
}
