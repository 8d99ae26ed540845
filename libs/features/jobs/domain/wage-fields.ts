import { formatUsdAmount, parseUsdAmount } from '#libs/kernel/money.js';
import { fieldRules } from '#libs/kernel/refusal.js';
import * as w from '#libs/values/answer-schema.js';
import * as c from '#libs/values/values.js';

export const wageAmount = c.pattern(/^[0-9]{1,18}$/, "digits: the wage per seat in the token's smallest unit");

export const wageUsd = c.pattern(
  /^[0-9]{1,12}(\.[0-9]{1,6})?$/,
  'a decimal number with at most 6 places: the wage per seat',
);

export const Ask = w.object({ amount: w.amount, usd: w.usd }, { description: 'The wage that the applicant asks for' });

type WageName = 'budget' | 'ask' | 'wage';
type WageValues<N extends WageName> = { readonly [K in N | `${N}_usd`]?: string | null };

/** Smallest units of a wage that is stated in one of two fields; null without. */
export function findUnits<N extends WageName>(name: N, values: WageValues<N>): bigint | null {
  const [amount, usd] = [values[name], values[`${name}_usd`]];
  if (!amount && !usd) return null;
  return amount ? BigInt(amount) : parseUsdAmount(usd!)!;
}

/** `whatElse`: a sentence about zero. */
export function wageRules<N extends WageName>(name: N, values: WageValues<N>, units: bigint, whatElse = '') {
  const [amount, usd] = [values[name], values[`${name}_usd`]];
  const field = amount ? name : `${name}_usd`;
  return [
    [!amount || !usd, name, `Send \`${name}\` or \`${name}_usd\`, not both.`, 'conflicting'],
    [units > 0n, field, `\`${field}\` must be more than zero.${whatElse}`, 'out_of_range'],
  ] as const;
}

/** Throws a 400 for both fields or zero. */
export function unitsOf<N extends WageName>(name: N, values: WageValues<N>): bigint | null {
  const units = findUnits(name, values);
  if (units !== null) fieldRules(...wageRules(name, values, units));
  return units;
}

export const toAmount = (units: bigint) => ({ amount: String(units), usd: formatUsdAmount(units) });
