/** Amounts are integers of the token's smallest unit; `usd` is a decimal string. Money never uses floating point. */
const TOKEN_DECIMALS = 6;
const UNIT = 10n ** BigInt(TOKEN_DECIMALS);

/** Parses `"10.5"` into smallest units; null unless it is a decimal number with at most 6 places. */
export function parseUsdAmount(usd: string): bigint | null {
  const match = /^(\d{1,12})(?:\.(\d{1,6}))?$/.exec(usd);
  return match ? BigInt(match[1]!) * UNIT + BigInt((match[2] ?? '').padEnd(TOKEN_DECIMALS, '0')) : null;
}

export function formatUsdAmount(units: bigint): string {
  const fraction = (units % UNIT).toString().padStart(TOKEN_DECIMALS, '0').replace(/0+$/, '');
  return fraction ? `${units / UNIT}.${fraction}` : `${units / UNIT}`;
}

export const FEE_PERCENT = 5n;

/** The fee of a job, from the budget of one seat: `FEE_PERCENT` of all seats together, rounded up to the smallest unit. */
export function calculateFee(budget: bigint, seats: number): bigint {
  return (budget * BigInt(seats) * FEE_PERCENT + 99n) / 100n;
}
